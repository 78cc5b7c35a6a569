"""`sandtable data`: the printed facts as files that an owner of the game can correct."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

import sandtable
from sandtable.kernel import packs


def configure(parser: ArgumentParser) -> None:
    """Arguments."""
    below = parser.add_subparsers(dest="deed", metavar="export|check", required=True)
    export = below.add_parser("export", help="write the files into a new folder")
    check = below.add_parser("check", help="read an edited pack and say whether it can be used")
    for each in (export, check):
        each.add_argument("title")
        each.add_argument("folder")


def run(args: Namespace) -> int:
    """Export or check."""
    title = sandtable.title(args.title)
    if args.deed == "export":
        written = packs.export(packs.built_in(title.package), Path(args.folder))
        print(f"{len(written)} files in {args.folder}; edit them and play with --data.")
    else:
        data = title.data(args.folder)
        for scenario in title.scenarios:
            title.start(scenario.id, seed="check", data=args.folder)
        same = data.digest == title.data().digest
        print(f"{args.folder} can be used; digest {data.digest}{', unchanged' if same else ''}.")
    return 0
