"""buckspec: the rules of Buck Euchre as data, and an interpreter derived from them."""
