"""Making games: words for the dice, bids, the lobby, uploads, branches, the past, lists."""

from __future__ import annotations

import time
from typing import Any

import sandtable
from sandtable.kernel import record as records
from sandtable.kernel.dice import commitment
from sandtable.kernel.table import replay
from tests.server.harness import Server, play_on


def test_both_players_words_are_in_the_dice_and_the_hash_was_shown_before(server: Server) -> None:
    made = server.create(mode="link", seats={"allied": {"name": "Anne"}}, words="  tea  time ")
    assert made["status"] == "waiting"
    path = f"/api/games/{made['game']}"
    early = server.sit(made["game"], made["seats"]["allied"])
    assert early.state["waiting"] and early.state["actions"] == []
    assert early.ask("play", action="pass")["type"] == "error"
    wish = {"seat": made["seats"]["axis"], "name": "Bert", "words": "coffee"}
    assert server.post(f"{path}/join", wish)["status"] == "playing"
    begun = early.hear("state")
    assert begun["waiting"] is False and begun["actions"] and begun["hash"] == made["hash"]
    server.post(f"{path}/join", wish, status=400)
    seats = {side: server.sit(made["game"], token) for side, token in made["seats"].items()}
    play_on(seats, 40)
    seats["axis"].ask("resign")
    record = records.parse(server.get(f"{path}/record"))
    assert record.words == ("tea time", "coffee")
    assert record.seed and commitment(record.seed) == made["hash"]
    assert server.get(f"{path}/verify")["ok"] is True
    for each in (early, *seats.values()):
        each.close()


def test_18_1_the_higher_bid_takes_the_allied_side_at_its_price(server: Server) -> None:
    for ours, theirs, mine, price in ((12, 9, "allied", 12), (7, 14, "axis", 14)):
        made = server.create(mode="link", seats={"allied": {"name": "Anne"}}, bid=ours)
        path = f"/api/games/{made['game']}"
        assert server.get(path)["bids"] == {} and server.get(path)["bidding"]
        server.post(f"{path}/join", {"seat": made["seats"]["axis"]}, status=400)
        server.post(f"{path}/join", {"seat": made["seats"]["axis"], "bid": 999}, status=400)
        server.post(f"{path}/join", {"seat": made["seats"]["axis"], "bid": theirs})
        header = server.get(path, made["seats"]["allied"])
        assert header["you"] == mine and header["options"]["bid"] == price
        assert header["players"][mine]["name"] == "Anne"


def test_an_open_game_is_found_in_the_lobby_and_joined_once(server: Server) -> None:
    made = server.create(mode="open", seats={"axis": {"name": "Host"}})
    assert list(made["seats"]) == ["axis"]
    (listed,) = [each for each in server.get("/api/games?lobby") if each["game"] == made["game"]]
    assert listed["free"] == ["allied"]
    path = f"/api/games/{made['game']}/join"
    joined = server.post(path, {"name": "Guest"})
    assert list(joined["seats"]) == ["allied"] and joined["status"] == "playing"
    server.post(path, {"name": "Late"}, status=400)
    assert all(each["game"] != made["game"] for each in server.get("/api/games?lobby"))
    seat = server.sit(made["game"], joined["seats"]["allied"])
    assert seat.state["you"] == "allied"
    seat.close()


def test_running_games_are_listed_for_watchers_only_if_their_creator_left_them_open(
    server: Server,
) -> None:
    def listed(made: dict[str, Any]) -> list[Any]:
        return [each for each in server.get("/api/games?watch") if each["game"] == made["game"]]

    made = server.create(mode="open", seats={"axis": {"name": "Host"}})
    assert not listed(made), "nobody plays yet"
    joined = server.post(f"/api/games/{made['game']}/join", {"name": "Guest"})
    (found,) = listed(made)
    assert found["players"]["allied"]["name"] == "Guest" and found["status"] == "playing"
    secrets = [*made["seats"].values(), *joined["seats"].values(), "seed", "token", "note"]
    assert not any(secret in str(found) for secret in secrets)
    closed = server.create(mode="open", watch=False, seats={"axis": {}})
    server.post(f"/api/games/{closed['game']}/join", {})
    link, hotseat = server.create(mode="link"), server.create(mode="hotseat")
    shown = server.create(mode="link", watch=True)
    assert not any(map(listed, (closed, link, hotseat))) and listed(shown)
    # A watcher sees what is public, and is told how it goes on; over, the game leaves the list.
    watcher = server.sit(shown["game"])
    assert watcher.state["you"] is None and not watcher.state["actions"]
    seat = server.sit(shown["game"], shown["seats"]["allied"])
    seat.ask("resign")
    watcher.until(1)
    assert watcher.state["outcome"] and not listed(shown)
    for each in (watcher, seat):
        each.close()


def test_a_game_goes_on_from_its_record_and_ends_the_same(server: Server) -> None:
    made = server.create(mode="hotseat")
    token = made["seats"]["axis"]
    seat = server.sit(made["game"], token)
    last = play_on({"allied": seat, "axis": seat}, 50)
    seat.close()
    text = server.get(f"/api/games/{made['game']}/record?seed&seat={token}")
    assert "\nseed " in text
    with server.http() as client:
        answer = client.post(
            "/api/games/upload", content=text, headers={"content-type": "text/plain"}
        )
        assert answer.status_code == 200, answer.text
        again = answer.json()
        broken = text.replace("\nmove ", "\nmove X", 1).replace("\nset-up ", "\nset-up X", 1)
        assert client.post("/api/games/upload", content=broken + "x").status_code == 400
        seedless = "\n".join(line for line in text.splitlines() if not line.startswith("seed"))
        refused = client.post("/api/games/upload", content=seedless)
        assert refused.status_code == 400 and "seed" in refused.json()["error"]
    copy = server.sit(again["game"], again["seats"]["allied"])
    assert copy.state["seq"] == last and copy.state["you"] == "both"
    assert copy.state["view"]["pieces"] == seat.state["view"]["pieces"]
    play_on({"allied": copy, "axis": copy}, 5)
    copy.close()


def test_the_past_can_be_looked_at_and_branched_off(server: Server) -> None:
    made = server.create(mode="link")
    seats = {side: server.sit(made["game"], token) for side, token in made["seats"].items()}
    views = {0: seats["allied"].state["view"]}
    for _ in range(80):
        seq = play_on(seats, 1)
        views[seq] = seats["allied"].state["view"]
    path = f"/api/games/{made['game']}"
    for at in (0, 1, 40, 64, 65, 80, 33):
        past = server.get(f"{path}/history?at={at}", made["seats"]["allied"])
        assert past["view"] == views[at]
        assert all(entry["seq"] <= at for entry in past["log"])
    server.get(f"{path}/history?at=-1", status=400)
    sandbox = server.post(f"{path}/branch", {"at": 40}, made["seats"]["allied"])
    box = server.sit(sandbox["game"], sandbox["seats"]["allied"])
    assert box.state["you"] == "both" and box.state["view"]["turn"] == views[40]["turn"]
    play_on({"allied": box, "axis": box}, 5)
    server.post(f"{path}/branch", {"at": 3}, status=400)
    for each in (box, *seats.values()):
        each.close()


def test_my_games_say_whose_turn_it_is_and_what_happened_since(server: Server) -> None:
    made = server.create(mode="link")
    axis = server.sit(made["game"], made["seats"]["axis"])
    axis.close()
    while server.get(f"/api/games/{made['game']}")["players"]["axis"]["online"]:
        time.sleep(0.02)
    allied = server.sit(made["game"], made["seats"]["allied"])
    play_on({"allied": allied, "axis": allied}, 2)
    body = {"seats": [{"game": made["game"], "seat": made["seats"]["axis"]}]}
    (mine,) = server.post("/api/games/mine", body)
    assert mine["sides"] == ["axis"] and mine["your_turn"] is False and mine["actor"] == "allied"
    assert mine["new"] == 2 and mine["news"] and mine["moved"] <= mine["now"]
    wrong = {"seats": [{"game": made["game"], "seat": "guess"}]}
    assert server.post("/api/games/mine", wrong) == []
    allied.close()


def test_a_seat_can_change_its_secret(server: Server) -> None:
    made = server.create(mode="link")
    path = f"/api/games/{made['game']}"
    fresh = server.post(f"{path}/rotate", {}, made["seats"]["axis"])["seats"]["axis"]
    assert server.get(path, fresh)["you"] == "axis"
    server.get(path, made["seats"]["axis"], status=403)


def test_wishes_that_make_no_sense_are_refused_in_one_line(server: Server) -> None:
    wishes: list[dict[str, Any]] = [
        {"title": "chess"},
        {"scenario": "july"},
        {"options": {"bid": 1000}},
        {"options": {"nonsense": True}},
        {"mode": "opponent", "seats": {"axis": {"kind": "opponent", "level": "god"}}},
        {"mode": "opponent", "seats": {"axis": {"kind": "opponent", "level": "ismcts:1"}}},
        {"mode": "opponent", "seats": {"axis": {"kind": "opponent", "level": "general:soon"}}},
        {"mode": "opponent", "seats": {"axis": {"kind": "opponent", "level": "general:600"}}},
        {"mode": "opponent", "seats": {"axis": {"kind": "opponent", "level": "general:5x2"}}},
        {"mode": "opponent", "seats": {"axis": {}, "allied": {}}},
        {"mode": "link", "seats": {"axis": {"kind": "opponent"}}},
        {"seats": {"martian": {}}},
        {"mode": "opponent", "seats": {"axis": {}, "allies": {"kind": "opponent"}}},
        {"clock": {"seconds": 0}},
        {"data": "../secrets"},
        {"position": "what = ["},
        {"bid": 3},
        {"unknown": 1},
    ]
    for wish in wishes:
        answer = server.post("/api/games", {"title": "battleaxe", **wish}, status=400)
        assert len(answer["error"].splitlines()) == 1, wish


def test_titles_maps_rules_and_counters(server: Server) -> None:
    (info,) = [each for each in server.get("/api/titles") if each["id"] == "battleaxe"]
    assert info["sides"] == ["allied", "axis"] and info["bids"] and info["levels"]
    rules = server.get("/api/titles/battleaxe/rules")
    assert len(rules) == len(list(sandtable.title("battleaxe").rules))
    assert server.get("/api/titles/battleaxe/board")["spaces"]
    assert server.get("/api/titles/battleaxe/counters")["parts"]
    with server.http() as client:
        night = "/api/titles/battleaxe/board.svg?theme=night"
        drawn = client.get(night)
        assert drawn.headers["content-type"].startswith("image/svg+xml")
        tag = {"If-None-Match": drawn.headers["etag"]}
        assert client.get(night, headers=tag).status_code == 304
        assert client.get("/api/titles/battleaxe/board.svg?theme=pink").status_code == 400
        made = server.create()
        state = server.get(f"/api/games/{made['game']}/state", made["seats"]["axis"])
        keys = sorted({piece["art"] for piece in state["view"]["pieces"]})
        svgs = client.post("/api/art/battleaxe", json={"keys": [*keys, "unknown"]}).json()
        assert sorted(svgs) == keys
        one = client.get(f"/api/art/battleaxe/{keys[0]}.svg")
        assert one.text == svgs[keys[0]] and "immutable" in one.headers["cache-control"]


def test_a_record_of_a_running_game_hides_the_other_sides_choices(server: Server) -> None:
    made = server.create(mode="link")
    seats = {side: server.sit(made["game"], token) for side, token in made["seats"].items()}
    play_on(seats, 60)
    own = records.parse(server.get(f"/api/games/{made['game']}/record", made["seats"]["axis"]))
    assert own.seed is None and len(own.lines) < 60
    seats["allied"].ask("resign")
    whole = records.parse(server.get(f"/api/games/{made['game']}/record"))
    assert len(whole.lines) == 61
    assert replay(sandtable.title("battleaxe"), whole).game.outcome
    for each in seats.values():
        each.close()
