"""Tests of one folder share their helpers: this puts the folder where `import` finds them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
