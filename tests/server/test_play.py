"""Games over the websocket: every mode, and everything a seat may ask."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec

import sandtable
from sandtable.kernel import record as records
from sandtable.kernel.table import replay
from tests.server.harness import Server, play_on, running


def test_a_link_game_is_played_to_its_end_and_every_die_can_be_checked(server: Server) -> None:
    made = server.create(mode="link", seats={"allied": {"name": "Anne"}})
    seats = {side: server.sit(made["game"], token) for side, token in made["seats"].items()}
    assert [seats["allied"].state["you"], seats["axis"].state["you"]] == ["allied", "axis"]
    play_on(seats, 60)
    kept = server.get(f"/api/games/{made['game']}/record", made["seats"]["axis"])
    assert "\nseed " not in kept and f"hash {made['hash']}" in kept
    # One of the players is cut off in the middle and comes back.
    last = seats["axis"].state["seq"]
    seats["axis"].close()
    seats["axis"] = server.sit(made["game"], made["seats"]["axis"], since=last - 3)
    assert seats["axis"].first["type"] in ("resume", "state")
    if seats["axis"].first["type"] == "resume":
        assert all(entry["seq"] > last - 3 for entry in seats["axis"].first["log"])
    play_on(seats, 10_000)
    outcome = seats["axis"].state["outcome"]
    assert outcome and outcome["score"] is not None
    text = server.get(f"/api/games/{made['game']}/record")
    record = records.parse(text)
    assert record.hash == made["hash"] and record.players["allied"] == "Anne"
    assert replay(sandtable.title("battleaxe"), record).game.outcome
    checked = server.get(f"/api/games/{made['game']}/verify")
    assert checked["ok"] is True and checked["seed"] == record.seed
    for seat in seats.values():
        seat.close()


def test_one_person_plays_both_sides_at_one_screen(server: Server) -> None:
    made = server.create(mode="hotseat")
    tokens = set(made["seats"].values())
    assert len(tokens) == 1
    seat = server.sit(made["game"], tokens.pop())
    assert seat.state["you"] == "both"
    play_on({"allied": seat, "axis": seat}, 80)
    assert seat.state["seq"] >= 40
    seat.close()


def test_an_opponent_answers_and_says_why_and_the_log_keeps_it(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    reasons: list[str] = []
    with running(database, "--no-limits") as server:
        officer = {"axis": {"kind": "opponent", "level": "officer"}}
        made = server.create(mode="opponent", seats=officer)
        assert list(made["seats"]) == ["allied"]
        seat = server.sit(made["game"], made["seats"]["allied"])
        for _ in range(40):
            while seat.state["view"]["actor"] == "axis":
                reasons += filter(None, [seat.hear("update").get("reason")])
            if reasons or seat.state["outcome"]:
                break
            assert seat.ask("play", action=seat.texts[-1], seq=seat.state["seq"])["type"] == "ack"
            seat.until(seat.state["seq"])
        seat.close()
    assert reasons and "There is no other choice." not in reasons
    with running(database, "--no-limits") as server:
        seat = server.sit(made["game"], made["seats"]["allied"])
        kept = [line["text"] for line in seat.state["log"] if line["kind"] == "Reason"]
        assert kept[: len(reasons)] == reasons
        seat.close()


def test_who_comes_while_an_opponent_thinks_hears_for_how_long_and_of_how_much(
    server: Server,
) -> None:
    general = {"allied": {"kind": "opponent", "level": "general:2"}}
    options = {"historical_setup": True}
    made = server.create(mode="opponent", seats=general, options=options)
    seat = server.sit(made["game"], made["seats"]["axis"])
    told = seat.state["thinking"] or seat.hear("thinking")
    assert (told["side"], told["level"], told["seq"]) == ("allied", "general:2", 0)
    time.sleep(0.5)
    late = server.sit(made["game"], made["seats"]["axis"])
    assert late.state["thinking"]["level"] == "general:2"
    assert late.state["thinking"]["elapsed"] >= told["elapsed"] + 0.4
    late.close()
    assert seat.ask("resign")["type"] == "ack"
    seat.close()


def test_a_person_can_play_the_side_that_the_opponent_leaves(server: Server) -> None:
    made = server.create(mode="opponent", seats={"axis": {"name": "Erwin"}})
    assert list(made["seats"]) == ["axis"]
    header = server.get(f"/api/games/{made['game']}", made["seats"]["axis"])
    assert header["you"] == "axis"
    assert header["players"]["allied"]["kind"] == "opponent"


def test_actions_are_checked_against_the_legal_set_and_the_seat(server: Server) -> None:
    made = server.create(mode="link")
    allied, axis = (server.sit(made["game"], made["seats"][side]) for side in ("allied", "axis"))
    assert axis.state["actions"] == []
    wrong = axis.ask("play", action=allied.texts[0])
    assert wrong["type"] == "error" and wrong["rule"]
    bad = allied.ask("play", action="fly 7RTR moon")
    assert bad["type"] == "error" and bad["rule"]
    stale = allied.ask("play", action=allied.texts[0], seq=17)
    assert stale["type"] == "error" and "moved on" in stale["error"]
    sneaky = allied.ask("play", action="!resign axis")
    assert sneaky["type"] == "error"
    assert server.get(f"/api/games/{made['game']}")["seq"] == 0
    allied.close()
    axis.close()


def test_a_request_sent_twice_is_carried_out_once(server: Server) -> None:
    made = server.create(mode="link")
    seat = server.sit(made["game"], made["seats"]["allied"])
    action = seat.texts[0]
    first = seat.ask("play", action=action, id="same")
    again = seat.ask("play", action=action, id="same")
    assert first["seq"] == again["seq"] == 1
    seat.close()
    other = server.sit(made["game"], made["seats"]["allied"], since=0)
    assert other.ask("play", action=action, id="same")["seq"] == 1
    assert other.state["seq"] == 1
    other.close()


def test_take_back_odds_why_hint_and_standing_orders(server: Server) -> None:
    made = server.create(mode="hotseat")
    seat = server.sit(made["game"], made["seats"]["allied"])
    before = seat.state["view"]
    seat.until(seat.ask("play", action=seat.texts[0])["seq"])
    assert seat.state["can_undo"]
    seat.until(seat.ask("undo")["seq"])
    assert seat.state["view"]["pieces"] == before["pieces"] and seat.state["undone"] == 1
    assert seat.ask("undo")["type"] == "error"
    assert seat.ask("why", action=seat.texts[0])["legal"] is True
    refused = seat.ask("why", action="pass")
    assert refused["legal"] is False and refused["rule"]
    hint = seat.ask("hint")
    assert hint["action"] in seat.texts and hint["reason"] and 0 < hint["chance"] < 1
    page = (Path(sandtable.__file__).parent / "web/js/textview.js").read_text(encoding="utf-8")
    assert f"what a {hint['level']} would do" in page, "the text view says whose advice it is"
    granted = seat.ask("hint", level="general:0.3")
    assert granted["action"] in seat.texts and granted["level"] == "general:0.3"
    for level, why in (("general:6", "0.2 to 5"), ("colonel", "recruit"), ("general:1x2", "cores")):
        assert why in seat.ask("hint", level=level)["error"]
    advised = seat.send("hint")
    assert "on its way" in seat.ask("hint")["error"], "messages are read while advice is awaited"
    assert seat.hear("ack", where=lambda each: each["id"] == advised)["action"] in seat.texts
    order = seat.ask("order", side="axis", interrupt="withdraw", setting="never")
    assert order["type"] == "ack"
    assert seat.ask("order", interrupt="withdraw", setting="often")["type"] == "error"
    # Odds, at the first action that has them.
    for _ in range(200):
        if seat.state["view"]["actor"] is None:
            break
        for text in seat.texts:
            odds = seat.ask("odds", action=text)["odds"]
            if odds:
                assert abs(sum(each["probability"] for each in odds["outcomes"]) - 1) < 1e-9
                seat.close()
                return
        seat.until(seat.ask("play", action=seat.texts[0])["seq"])
    raise AssertionError("no action with odds was found")


def test_a_resumed_seat_hears_of_lines_that_were_taken_back(server: Server) -> None:
    made = server.create(mode="link")
    seat = server.sit(made["game"], made["seats"]["allied"])
    seat.until(seat.ask("play", action=seat.texts[0])["seq"])
    seat.until(seat.ask("undo")["seq"])
    seat.close()
    back = server.sit(made["game"], made["seats"]["allied"], since=1)
    assert back.first["type"] == "state" and back.first["log"] == []
    back.close()


def test_spectators_see_what_is_public_and_cannot_play(server: Server) -> None:
    made = server.create(mode="link")
    seat = server.sit(made["game"], made["seats"]["allied"])
    watcher = server.sit(made["game"])
    assert watcher.state["you"] is None and watcher.state["actions"] == []
    assert watcher.ask("play", action=seat.texts[0])["type"] == "error"
    assert watcher.ask("note", text="mine")["type"] == "error"
    seat.ask("order", interrupt="fuel-shortage", setting="never")
    told = watcher.hear("update")
    assert told["action"] is None and told["by"] is None and "orders" not in told["view"]
    assert watcher.state["note"] == ""
    for each in (seat, watcher):
        each.close()


def test_chat_goes_to_all_and_notes_to_nobody(server: Server) -> None:
    made = server.create(mode="link", seats={"allied": {"name": "Anne"}})
    allied, axis = (server.sit(made["game"], made["seats"][side]) for side in ("allied", "axis"))
    said = "<script>alert(1)</script>\u0000 hello\nthere"
    allied.ask("chat", text=said, id="c1")
    allied.ask("chat", text=said, id="c1")
    heard = axis.hear("chat")
    assert heard["text"] == "<script>alert(1)</script> hello there" and heard["name"] == "Anne"
    assert allied.ask("note", text="the plan")["saved"]
    for each in (allied, axis):
        each.close()
    allied, axis = (server.sit(made["game"], made["seats"][side]) for side in ("allied", "axis"))
    assert allied.state["note"] == "the plan" and axis.state["note"] == ""
    assert len(axis.state["chat"]) == 1
    for each in (allied, axis):
        each.close()


def test_resigning_draws_and_a_rematch_with_sides_swapped(server: Server) -> None:
    made = server.create(mode="link", seats={"allied": {"name": "Anne"}, "axis": {"name": "Bert"}})
    allied, axis = (server.sit(made["game"], made["seats"][side]) for side in ("allied", "axis"))
    assert allied.ask("answer", what="draw", yes=True)["type"] == "error"
    allied.ask("offer", what="draw")
    axis.hear("update")
    assert axis.state["offers"] == {"draw": "allied"}
    assert allied.ask("answer", what="draw", yes=True)["type"] == "error"
    axis.ask("answer", what="draw", yes=False)
    allied.until(2)
    assert allied.state["offers"] == {} and allied.state["outcome"] is None
    axis.ask("offer", what="end")
    allied.until(3)
    assert allied.ask("answer", what="end", yes=True)["type"] == "ack"
    axis.until(4)
    assert axis.state["outcome"]["level"] == "agreed end"
    assert server.get(f"/api/games/{made['game']}/verify")["ok"] is True
    allied.ask("offer", what="rematch")
    axis.until(5)
    new = axis.ask("answer", what="rematch", yes=True)["rematch"]
    assert allied.hear("rematch")["game"] == new
    header = server.get(f"/api/games/{new}", made["seats"]["allied"])
    assert header["you"] == "axis" and header["players"]["axis"]["name"] == "Anne"
    for each in (allied, axis):
        each.close()
    loser = server.sit(new, made["seats"]["allied"])
    loser.ask("resign")
    loser.until(1)
    assert loser.state["outcome"]["winner"] == "allied"
    loser.close()


def test_a_draw_that_is_accepted_ends_the_game(server: Server) -> None:
    made = server.create(mode="link")
    allied, axis = (server.sit(made["game"], made["seats"][side]) for side in ("allied", "axis"))
    allied.ask("offer", what="draw")
    axis.until(1)
    assert axis.ask("answer", what="draw", yes=True)["type"] == "ack"
    allied.until(2)
    outcome = allied.state["outcome"]
    assert outcome["winner"] is None and outcome["level"] == "agreed draw"
    assert allied.ask("resign")["type"] == "error"
    for each in (allied, axis):
        each.close()


def test_bots_play_over_plain_http_and_read_lines(server: Server) -> None:
    made = server.create(mode="link")
    game, token = made["game"], made["seats"]["allied"]
    state = server.get(f"/api/games/{game}/state", token)
    action = state["actions"][0]["text"]
    path = f"/api/games/{game}/play"
    with (
        server.http() as client,
        client.stream(
            "GET", f"/api/games/{game}/stream", headers={"Authorization": f"Bearer {token}"}
        ) as stream,
    ):
        lines = stream.iter_lines()
        assert msgspec.json.decode(next(lines))["type"] == "state"
        done = server.post(path, {"action": action, "id": "b1", "seq": 0}, token)
        assert done["seq"] == 1
        messages = (msgspec.json.decode(line) for line in lines if line)
        update = next(each for each in messages if each["type"] == "update")
        assert update["action"] == action
    assert server.post(path, {"action": action, "id": "b1"}, token)["seq"] == 1
    assert "error" in server.post(path, {"action": "nonsense", "id": "b2"}, token, 409)
    server.post(path, {"action": action, "id": "b3"}, made["seats"]["axis"], 409)
    server.post(path, {"action": action, "id": "b4"}, "", 403)
    server.post(path, {"action": action, "id": "b5"}, "wrong", 403)
