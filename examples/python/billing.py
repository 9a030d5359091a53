#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Money from Python: a price before anything is made, what can be spent, every metered second, and owning against renting.

    python3 billing.py [--gpu MODEL[:COUNT]] [--image NAME] [--use PERCENT]

Money is Decimal, of at most six places; no float ever holds it.
"""
import argparse
from decimal import ROUND_HALF_UP, Decimal

from starverse import Client, card, script

MICRO = Decimal("0.000001")


def quote(c, a):
    q = c.run("billing", "quote", kind="instance", body={"image": a.image, **a.gpu})
    for i in q["items"]:
        print(f"{i['item']}\t{i['quantity']}\t{i['price_per_hour']}")
    print(f"an hour\t{q['price_per_hour']}\nat least\t{q['minimum_charge']} ({q['minimum_seconds']} s)")


def balance(c):
    b = c.run("billing", "balance")["balance"]
    print(f"cash\t{b['cash']}\ncredit\t{b['credit']}\navailable\t{b['available']}")


def usage(c):
    """Every interval is its rate times its seconds, rounded once, half up. What has a price a month can only be told here by
    a rounded one an hour: those costs are not computed again."""
    total = Decimal(0)
    for u in c.run("billing", "usage"):
        mine = (Decimal(u["price_per_hour"]) * u["seconds"] / 3600).quantize(MICRO, ROUND_HALF_UP)
        wrong = u["kind"] == "compute" and mine != Decimal(u["cost"])
        print(f"{u['kind']}\t{u['name']}\t{u['seconds']} s\t{u['cost']}" + (f", not {mine}" if wrong else ""))
        total += Decimal(u["cost"])
    print(f"metered\t{total:f}")


def charges(c):
    lines = c.run("billing", "charges")
    for x in lines:
        print(f"{x['time']}\t{x['kind']}\t{x['amount']}\t{x['balance']}")
    print(f"charged\t{sum((Decimal(x['amount']) for x in lines), Decimal(0)):f}")


def tco(c, a):
    """What three years of eight A100 cost to own, and to rent at this use."""
    t = c.run("billing", "tco", own_capex="1100000", own_monthly="3500", cards=8, unit_price_per_hour="1.9", years=3,
              use_percent=a.use)
    print(f"to own\t{t['own_total']}\nto rent\t{t['rent_total']}\nsaving\t{t['saving']}, {t['saving_percent']} %")


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("--gpu", default="a100-80g:1", type=card)
    p.add_argument("--image", default="pytorch-2.2")
    p.add_argument("--use", default="50", help="percent of all hours in which the cards are rented")
    a = p.parse_args()
    with Client() as c:
        quote(c, a)
        balance(c)
        usage(c)
        charges(c)
        tco(c, a)
    return 0


if __name__ == "__main__":
    script(main)
