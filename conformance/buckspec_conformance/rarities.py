"""How often what is rare comes about in the games of the properties.

python -m buckspec_conformance.rarities                      asked of the reference in this process
python -m buckspec_conformance.rarities --seed 7 --level smoke
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from buckspec.load import load_profile
from buckspec.rules import Rules
from buckspec_conformance.asking import Failure
from buckspec_conformance.exhaustive import USUAL
from buckspec_conformance.in_process import InProcess
from buckspec_conformance.properties import PROPERTIES, Level
from buckspec_conformance.reference_engine import ReferenceEngine
from buckspec_conformance.search import PropertyResult, asking, search
from buckspec_conformance.situations import situations


def searched(rules: Rules, level: Level, seed: int) -> Iterator[PropertyResult]:
    """Every property, searched in what the reference plays. Raises RuntimeError if that does not answer."""
    transport = InProcess(ReferenceEngine())
    hello = transport.start()
    if isinstance(hello, Failure):
        raise RuntimeError(hello.message)
    ask = asking(transport, rules, hello)
    for one in PROPERTIES:
        yield search(one, rules, ask, seed, one.examples[level])


def lines(rules: Rules, results: Sequence[PropertyResult]) -> Iterator[str]:
    """What was asked, by property, and in how many hands each situation came about, the most frequent first."""
    for found in results:
        yield (
            f"{found.hands:6} hands  {found.steps:7} steps  {found.seconds:6.2f} s  "
            f"{found.property.id}: {found.failing.outcome if found.failing else 'passed'}"
        )
    seen: Counter[str] = Counter()
    for found in results:
        seen.update(found.rare)
    yield f"{sum(found.hands for found in results):6} hands, of them"
    means = {one.id: one.means for one in situations(rules)}
    for name, count in seen.most_common():
        yield f"{count:6}  {means[name]}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(prog="python -m buckspec_conformance.rarities", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--level", choices=sorted(PROPERTIES[0].examples), default="standard")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    rules = load_profile(USUAL)
    for line in lines(rules, list(searched(rules, chosen.level, chosen.seed))):
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
