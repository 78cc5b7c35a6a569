"""5.3.4 What a side sees of the game."""

from __future__ import annotations

from sandtable.kernel.events import Side
from sandtable.kernel.views import Card, Marker, Overlay, Piece, Points, Track, View
from sandtable.titles.theseus import victory
from sandtable.titles.theseus.acting import Acting
from sandtable.titles.theseus.challenges import assignable
from sandtable.titles.theseus.combat import Combat, FormAttack
from sandtable.titles.theseus.intelligence import exerts_zoc, visible
from sandtable.titles.theseus.lifelines import lifeline
from sandtable.titles.theseus.movement import Movement
from sandtable.titles.theseus.organisation import Organisation
from sandtable.titles.theseus.reach import March, allowance, march
from sandtable.titles.theseus.schema import AXIS, COMMONWEALTH, QUARTERS, SIDES
from sandtable.titles.theseus.sequence import Operations, Solitaire
from sandtable.titles.theseus.state import GONE, POOL, Game

STATES = ("", "out of command", "isolated")
KINDS = {
    "infantry": "infantry",
    "mot_infantry": "motorised infantry",
    "panzergrenadier": "armoured infantry",
    "armoured_car": "recon",
    "tank": "armor",
    "heavy_tank": "heavy armor",
    "flak": "flak",
    "engineer": "engineer",
}


def view(game: Game, side: Side | None) -> View:
    """5.3.4 One side's sight of the game; a spectator sees what both sides show."""
    viewer = SIDES.index(side) if side else None
    return View(
        title=game.title.id,
        scenario=game.scenario,
        side=side,
        actor=game.actor,
        prompt=game.prompt if side is not None and side == game.actor else outside_prompt(game),
        rule=game.rule if side is not None and side == game.actor else outside_rule(game),
        turn=game.when(),
        phase=phase(game),
        phase_side=phase_side(game),
        options=dict(game.options),
        tracks=tuple(tracks(game, viewer)),
        pieces=tuple(pieces(game, viewer)),
        control=control(game),
        markers=tuple(markers(game)),
        overlays=tuple(overlays(game, viewer)),
        reach=reach(game) if side is not None and side == game.actor else {},
        stops=stops(game) if side is not None and side == game.actor else {},
        score=tuple(score(game)),
        orders=orders(game, side),
        over=game.outcome is not None,
    )


def phase(game: Game) -> str:
    """4 The segment of the turn; in the Ops Phase who acts, and whether in Reaction."""
    if not game.stack:
        return ""
    bottom = game.stack[0]
    if not isinstance(bottom, (Operations, Solitaire)):
        return type(bottom).__name__.replace("PanzerReplacements", "Replacements")
    for step in reversed(game.stack):
        if isinstance(step, Acting) and (step.formation >= 0 or step.single):
            name = game.title.side_names[SIDES[step.side]]
            what = "activation" if step.reactable else "reaction"
            who = game.data.hqs[step.formation].short if step.formation >= 0 else "one unit"
            return f"Operations, {name} {what}: {who}"
        if isinstance(step, Organisation):
            return "Organisation"
    return "Operations"


def phase_side(game: Game) -> Side | None:
    """6.3 Whose activation or Reaction it is."""
    for step in reversed(game.stack):
        if isinstance(step, Acting) and (step.formation >= 0 or step.single):
            return SIDES[step.side]
        if isinstance(step, Organisation):
            return None
    return None


def outside_prompt(game: Game) -> str:
    """What the side that does not decide is told: nothing hidden."""
    if game.outcome:
        return game.outcome.text
    name = game.title.side_names[game.actor or SIDES[0]]
    return f"{name} decides."


def outside_rule(game: Game) -> str:
    """7.2 The other side is told of an action when it is declared, not while it is prepared."""
    private = isinstance(game.step, (FormAttack, Movement, Combat)) if game.stack else False
    return Acting.rule if private else game.rule


def orders(game: Game, side: Side | None) -> dict[str, str]:
    """A side sees its own standing orders only."""
    if side is None:
        return {}
    return {key.split(" ", 1)[1]: way for key, way in game.orders.items() if key.split()[0] == side}


def score(game: Game) -> list[Points]:
    """10.2 The score as everybody can count it: no losses, which strength markers hide."""
    if game.outcome:
        return [Points(line.text, line.value, line.rule) for line in game.outcome.score]
    solo = game.script.solo >= 0
    lines = victory.solo_score(game) if solo else victory.score(game, False)
    return [Points(line.text, line.value, line.rule) for line in lines]


def pieces(game: Game, viewer: int | None) -> list[Piece]:
    """5.3.4 Every counter in sight; those beneath enemy stacks without a name."""
    found: list[Piece] = []
    unknown = 0
    for hex in sorted(game.at):
        stack = game.at[hex]
        seen = visible(game, hex, viewer)
        # Ruling R88: zones are open, so a stack whose zone comes from beneath says so.
        quiet = not any(exerts_zoc(game, piece) for piece in seen)
        beneath = quiet and any(exerts_zoc(game, piece) for piece in stack)
        for piece in stack:
            if piece in seen:
                found.append(counter(game, piece, viewer))
            else:
                unknown += 1
                owner = SIDES[game.side(piece)]
                states = ("zone of control",) if beneath else ()
                space = game.data.board.names[hex]
                found.append(Piece(f"?{unknown}", owner, space, states=states))
                beneath = False
    for piece in sorted(game.script.pieces):
        where = game.pieces[piece].hex
        if where in (POOL, GONE):
            found.append(counter(game, piece, viewer))
    return found


def command_of(game: Game, piece: int) -> str:
    """5.8 How far a unit is from its Headquarters, or that it has none or is too far."""
    parent, hex = game.pieces[piece].parent, game.pieces[piece].hex
    if parent < 0 or hex < 0:
        return "of no formation" if hex >= 0 else ""
    word = STATES[game.situation.state(game, piece)]
    if word:
        return word
    most = game.data.hqs[parent].command
    layers = game.situation.command_layers(game, parent, most)
    far = next((at for at, layer in enumerate(layers) if layer >> hex & 1), most)
    return f"in command, {far} of {most}"


def place_name(game: Game, piece: int) -> str:
    """Where a counter off the map is."""
    if game.pieces[piece].hex == GONE:
        return "out of play"
    return f"arrives on turn {game.script.arrival.get(piece, game.turn)}"


def counter(game: Game, piece: int, viewer: int | None) -> Piece:
    """3.2, 3.3 A counter in sight; enemy strengths and secret assignments are absent."""
    data, state = game.data, game.pieces[piece]
    side = game.side(piece)
    own = viewer == side
    space = data.board.names[state.hex] if state.hex >= 0 else None
    place = "" if state.hex >= 0 else place_name(game, piece)
    states: list[str] = []
    if data.is_hq(piece):
        formation = piece - data.count
        hq = data.hqs[formation]
        if formation == game.schwerpunkt:
            states.append("schwerpunkt")
        if state.spent:
            states.append("emergency supply spent")
        if state.low:
            states.append("out of supply")
        ratings = {
            "reaction": str(hq.reaction),
            "engineers": str(hq.engineer),
            "range": str(hq.command),
            "movement": str(hq.movement),
        }
        if own:
            ratings["support"] = str(state.strength)
        return Piece(
            id=data.piece_names[piece],
            side=SIDES[side],
            space=space,
            place=place,
            name=f"{hq.short} HQ",
            kind="hq",
            size="division",
            nation=hq.nation,
            formation=hq.short,
            ratings=ratings,
            states=tuple(states),
            status="known" if hq.known else "reconstructed",
        )
    card = game.card[piece]
    if state.disrupted:
        states.append("disrupted")
    standing = command_of(game, piece) if own else ""
    if state.hex >= 0:
        if own or not assignable(game, piece) or piece in game.shown:
            states += [word for word in [STATES[game.situation.state(game, piece)]] if word]
        if state.hex in game.improved:
            states.append("improved defence")
        if state.low and state.parent < 0:
            states.append("out of supply")
    if state.acts:
        states.append(("act-1", "act-2", "no-act")[state.acts - 1])
    known = state.parent >= 0 and (own or not assignable(game, piece) or piece in game.shown)
    ratings = {"effectiveness": str(game.effectiveness(piece))}
    if own:
        ratings["strength"] = str(state.strength)
        if state.strength < card.strength and state.hex >= 0:
            states.append("reduced")
    ratings["tank" if card.afv else "anti-tank"] = str(game.points(piece))
    ratings["movement"] = "d" if state.disrupted else str(card.movement)
    formation_name = data.hqs[state.parent].short if known else ""
    parent = data.own_formation[piece]
    return Piece(
        id=data.piece_names[piece],
        side=SIDES[side],
        space=space,
        place=place,
        name=card.name,
        kind=KINDS[card.type],
        size="battalion" if card.afv or card.free_stacking else "brigade",
        nation=data.hqs[parent].nation
        if parent >= 0
        else ("german" if side == AXIS else "british"),
        formation=formation_name,
        steps=state.strength if own else 0,
        full_steps=card.strength,
        ratings=ratings,
        states=tuple(states),
        status="known" if card.known or card.derived else "reconstructed",
        standing=standing,
    )


def tracks(game: Game, viewer: int | None) -> list[Track]:
    """3.1.4 The tracks and boxes beside the map."""
    table = game.data.tables
    steps = table.initiative.track
    drm, last = steps[game.drm], game.script.file.last_turn
    who = f" {game.title.side_names[SIDES[game.drm_side]]}" if drm else ""
    boxes = tuple(f"+{each}" if each else "0" for each in steps)
    found = [
        Track("turn", "Game Turn", str(game.turn), game.turn, last),
        Track("initiative", "Initiative", f"+{drm}{who}", game.drm, len(steps) - 1, boxes=boxes),
        Track("ap-axis", "Axis Action Points", str(game.ap[AXIS]), game.ap[AXIS], 8, spent=True),
        Track(
            "ap-commonwealth",
            "Commonwealth Action Points",
            str(game.ap[1]),
            game.ap[1],
            8,
            spent=True,
        ),
        air_units(game),
        Track(
            "snafu",
            "SNAFU marker",
            game.title.side_names[SIDES[game.snafu]],
            detail="may have one die rolled again",
            sign="marker",
        ),
        Track(
            "tobruk",
            "Tobruk supplies",
            game.title.side_names[SIDES[game.tobruk]],
            detail=_who_holds_tobruk(game),
            sign="supply",
        ),
    ]
    for side in (AXIS, COMMONWEALTH):
        # Ruling R81: every loss is announced, so anybody can keep count.
        lost = victory.lost(game, side)
        name = f"{game.title.side_names[SIDES[side]]} Strength Points lost"
        found.append(Track(f"lost-{SIDES[side]}", name, str(lost), lost, sign="losses"))
    if game.schwerpunkt >= 0:
        name = game.data.hqs[game.schwerpunkt].short
        found.append(
            Track(
                "schwerpunkt",
                "Schwerpunkt",
                name,
                detail="one Action Point more",
                sign="marker",
            )
        )
    for formation, hq in enumerate(game.data.hqs):
        if game.data.hq_of(formation) in game.script.pieces:
            level = game.levels[formation]
            name = f"{hq.short} Activation Level"
            found.append(Track(f"level-{hq.id}", name, str(level), level, hq.level, spent=True))
    for side in (AXIS, COMMONWEALTH):
        found += assignment_boxes(game, side, viewer)
    return found


def air_units(game: Game) -> Track:
    """3.4, 9.1.2 The Axis air units by name: those that have flown come back with the next turn."""
    names, ready = game.script.air, game.air
    cards = tuple(
        Card(name) if at < ready else Card(name, "flown", "done") for at, name in enumerate(names)
    )
    name = "Axis air units available"
    back = ready < len(names) and game.turn < game.script.file.last_turn
    detail = "those flown are back next turn" if back else ""
    return Track("air", name, str(ready), ready, len(names), detail=detail, sign="air", cards=cards)


def assignment_boxes(game: Game, side: int, viewer: int | None) -> list[Track]:
    """5.5.2 Assigned markers by formation: their number, and for the owner what they are."""
    arranging = any(isinstance(s, Organisation) and s.side == side for s in game.stack)
    found: list[Track] = []
    for formation, hq in enumerate(game.data.hqs):
        if hq.side != SIDES[side] or (arranging and viewer != side):
            continue
        real = [
            unit
            for unit in range(game.data.count)
            if assignable(game, unit)
            and game.pieces[unit].parent == formation
            and game.pieces[unit].hex != GONE
        ]
        dummies = game.dummies[formation]
        if not real and not dummies:
            continue
        number = len(real) + dummies
        words = "1 marker" if number == 1 else f"{number} markers"
        if viewer == side:
            words = game.names(real) if real else "no unit"
            words += f" and {dummies} dummies" if dummies else ""
        found.append(Track(f"assigned-{hq.id}", f"Assigned to {hq.short}", words))
    return found


def _who_holds_tobruk(game: Game) -> str:
    """5.7.3 A change of hands counts from the next turn on."""
    if game.tobruk_next < 0:
        return "who holds Tobruk"
    return f"{game.title.side_names[SIDES[game.tobruk_next]]} from the next turn on"


def markers(game: Game) -> list[Marker]:
    """3.5 Markers on the map, all in the open."""
    names = game.data.board.names
    found = [Marker("breached", names[hex]) for hex in game.breached]
    found += [Marker("improved defence", names[hex]) for hex in sorted(game.improved)]
    found += [Marker("supply blocked", names[hex]) for hex in game.blocked]
    tobruk = names[game.data.tobruk]
    found.append(Marker("tobruk control", tobruk, side=SIDES[game.tobruk]))
    for hex, objective in game.script.objectives:
        values = [v for v in objective.values if v[0] <= game.turn <= v[1]]
        if values:
            words = f"{values[0][2]} ({values[0][3]})"
            found.append(Marker("victory", names[hex], text=words))
    return found


def control(game: Game) -> dict[str, Side]:
    """10.2 Who was last in each objective."""
    hexes = [game.data.board.names[hex] for hex, _ in game.script.objectives]
    return {hex: SIDES[side] for hex, side in zip(hexes, game.last_in, strict=True)}


def overlays(game: Game, viewer: int | None) -> list[Overlay]:
    """5.4, 5.7, 5.8 Zones of control (open, ruling R88), and a side's own command and supply."""
    found: list[Overlay] = []
    board = game.data.board
    for side in (AXIS, COMMONWEALTH):
        zone = game.situation.zoc[side]
        name = f"{game.title.side_names[SIDES[side]]} zones of control"
        held = tuple(board.text(zone))
        found.append(Overlay(f"zoc-{SIDES[side]}", name, SIDES[side], held, rule="5.4"))
    if viewer is None:
        return found
    supplied = tuple(board.text(game.situation.connected(game, viewer, False)))
    roads = "Roads and trails in supply"
    found.append(Overlay("supply-roads", roads, SIDES[viewer], supplied, rule="5.7.3"))
    for formation, hq in enumerate(game.data.hqs):
        if hq.side != SIDES[viewer] or game.hex_of_hq(formation) < 0:
            continue
        layers = game.situation.command_layers(game, formation, hq.command)
        fed = game.situation.in_supply(game, game.data.hq_of(formation))
        text = "in supply" if fed else "out of supply"
        spaces = tuple(board.text(layers[hq.command]))
        name = f"Command of {hq.short}"
        key = f"command-{hq.id}"
        found.append(
            Overlay(key, name, SIDES[viewer], spaces, text=text, rule="5.8", formation=hq.short)
        )
        found.append(_supply_path(game, formation))
    return found


def _supply_path(game: Game, formation: int) -> Overlay:
    """5.7.2 How supply comes to a Headquarters, or how far it is from it."""
    hq, names = game.data.hqs[formation], game.data.board.names
    fed = game.situation.in_supply(game, game.data.hq_of(formation))
    line = lifeline(game, formation)
    lines = (tuple(names[hex] for hex in line[0]),) if line else ()
    if line and line[1] > line[2]:
        text = "supplied without a path" if fed else f"too long: {line[1]}, range {line[2]}"
        lines = () if fed else lines
    elif line:
        text = f"{line[1]} of {line[2]}"
    else:
        text = "supplied without a path" if fed else "no path"
    return Overlay(
        f"supply-{hq.id}",
        f"Supply of {hq.short}",
        hq.side,
        lines=lines,
        text=text,
        rule="5.7.2" if fed else "5.7.4",
        formation=hq.short,
        cut=not fed,
        length=line[1] if line and lines else None,
    )


def reach(game: Game) -> dict[str, dict[str, str]]:
    """7.3 Where units of the side to act can go, and what that costs in Movement Points."""
    if game.outcome:
        return {}
    step, names = game.step, game.data.board.names
    if isinstance(step, Movement):
        costs = step.options(game).cost
        words = {names[hex]: f"{cost / QUARTERS:g}" for hex, cost in costs.items()}
        return {game.data.piece_names[unit]: words for unit in step.units}
    found: dict[str, dict[str, str]] = {}
    if isinstance(step, Acting):
        for piece in step.pieces(game):
            if not step.no_move(game, piece):
                costs = march(game, (piece,), allowance(game, (piece,)), True, "action").cost
                found[game.data.piece_names[piece]] = {
                    names[hex]: f"{cost / QUARTERS:g}" for hex, cost in costs.items()
                }
    return found


def stops(game: Game) -> dict[str, dict[str, str]]:
    """5.4.1, 7.3.6 Where a move must end: in an EZOC, or inside a minefield."""
    if game.outcome:
        return {}
    step = game.step
    if isinstance(step, Movement):
        found = _halts(game, step.options(game), step.side)
        return {game.data.piece_names[unit]: found for unit in step.units} if found else {}
    listed: dict[str, dict[str, str]] = {}
    if isinstance(step, Acting):
        for piece in step.pieces(game):
            if not step.no_move(game, piece):
                where = march(game, (piece,), allowance(game, (piece,)), True, "action")
                if found := _halts(game, where, step.side):
                    listed[game.data.piece_names[piece]] = found
    return listed


def _halts(game: Game, where: March, side: int) -> dict[str, str]:
    """The hexes in reach that stop whoever enters them, each with the rule."""
    here, names = game.situation, game.data.board.names
    zone, mines = here.zoc[1 - side], here.mines[1 - side]
    return {
        names[hex]: "7.3.6" if mines >> hex & 1 else "5.4.1"
        for hex in where.cost
        if (zone | mines) >> hex & 1
    }
