"""The rules of SARIF 2.1.0 that a log of ours could break, as its schema and its text state them.

The schema itself is not kept here. It closes every object, so a property that is not named below is refused.
"""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-F]{2})+")  # RFC 3986, without a fragment
_MAY = {  # what each object may have here, and what of that it must
    "log": ("$schema version runs", "version runs"),
    "run": ("tool invocations originalUriBaseIds columnKind results", "tool"),
    "driver": ("name version semanticVersion rules", "name rules"),
    "rule": ("id name shortDescription fullDescription help defaultConfiguration", "id"),
    "invocation": ("executionSuccessful exitCode toolExecutionNotifications", "executionSuccessful"),
    "notification": ("level message locations", "message"),
    "result": (
        "ruleId ruleIndex level message locations relatedLocations partialFingerprints",
        "ruleId ruleIndex level message locations",
    ),
    "location": ("id message physicalLocation", "physicalLocation"),
    "physical": ("artifactLocation region", "artifactLocation"),
    "artifact": ("uri uriBaseId", "uri uriBaseId"),
    "region": ("startLine startColumn", "startLine"),
    "text": ("text", "text"),
}
_LEVELS = ("none", "note", "warning", "error")


def faults(log: dict) -> list[str]:
    """What a reader of SARIF would refuse in a log, or take for something else; nothing for a sound one."""
    found = _shape("log", log)
    found += [] if log.get("version") == "2.1.0" else ["version"]
    for run in log.get("runs", []):
        found += _run(run)
    return found


def _run(run: dict) -> list[str]:
    driver = run["tool"]["driver"]
    rules = driver["rules"]
    found = [*_shape("run", run), *_shape("driver", driver)]
    found += [] if run["columnKind"] in ("unicodeCodePoints", "utf16CodeUnits") else ["columnKind"]
    found += [] if re.fullmatch(r"\d+\.\d+\.\d+", driver["semanticVersion"]) else ["semanticVersion"]
    found += ["a rule twice"] if len({rule["id"] for rule in rules}) < len(rules) else []
    for rule in rules:
        found += [*_shape("rule", rule), *_level(rule["defaultConfiguration"]["level"])]
        found += [fault for key in ("shortDescription", "fullDescription", "help") for fault in _said(rule[key])]
    for one in run["invocations"]:
        found += [*_shape("invocation", one), *([] if isinstance(one["exitCode"], int) else ["exitCode"])]
        for note in one.get("toolExecutionNotifications", []):
            found += [*_shape("notification", note), *_level(note["level"]), *_said(note["message"])]
            for place in note.get("locations", []):
                found += [*_shape("location", place), *_physical(place["physicalLocation"], run)]
    # Without results nothing was looked at (3.14.23), with an empty list all was.
    began = all(one["executionSuccessful"] for one in run["invocations"])
    found += [] if began == ("results" in run) else ["results"]
    return found + [fault for result in run.get("results", []) for fault in _result(result, run, rules)]


def _result(result: dict, run: dict, rules: list[dict]) -> list[str]:
    found = [*_shape("result", result), *_level(result["level"]), *_said(result["message"])]
    at = result["ruleIndex"]
    found += [] if 0 <= at < len(rules) and rules[at]["id"] == result["ruleId"] else ["ruleIndex"]
    related = result.get("relatedLocations", [])
    found += ["a related location twice"] if any(one in related[:i] for i, one in enumerate(related)) else []
    found += ["an id twice"] if len({one["id"] for one in related}) < len(related) else []
    for place in (*result["locations"], *related):
        found += [*_shape("location", place), *(_said(place["message"]) if "message" in place else [])]
        found += _physical(place["physicalLocation"], run)
    prints = result["partialFingerprints"].values()
    return found + ([] if all(re.fullmatch(r"[0-9a-f]{64}", one) for one in prints) else ["fingerprint"])


def _physical(place: dict, run: dict) -> list[str]:
    where, region = place["artifactLocation"], place.get("region")
    found = [*_shape("physical", place), *_shape("artifact", where)]
    uri = where["uri"]
    relative = _ADDRESS.fullmatch(uri) and not uri.startswith("/") and ":" not in uri.split("/")[0]
    found += [] if relative else [f"no address relative to its base: {uri!r}"]
    found += [] if where["uriBaseId"] in run["originalUriBaseIds"] else ["uriBaseId"]
    if region is not None:
        found += _shape("region", region)
        found += [key for key, value in region.items() if not isinstance(value, int) or value < 1]
    return found


def _shape(kind: str, found: dict) -> list[str]:
    may, must = (set(names.split()) for names in _MAY[kind])
    return sorted(f"{kind}: {name}" for name in (found.keys() - may) | (must - found.keys()))


def _level(level: str) -> list[str]:
    return [] if level in _LEVELS else [f"level {level!r}"]


def _said(message: dict) -> list[str]:
    return [*_shape("text", message), *([] if message.get("text", "").strip() else ["a message says nothing"])]
