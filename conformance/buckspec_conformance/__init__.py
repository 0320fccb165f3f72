"""What tests an engine of Buck Euchre against the rule book: protocol, transport, vectors and reports."""
