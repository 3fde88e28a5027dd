"""A house of cards of two storeys, held by friction alone."""

import saltus as sl


def model() -> sl.Model:
    m = sl.Model()
    table = m.plane(name="table")
    cards = sl.scenes.card_house(m, storeys=2)
    feet = m.contact([table], cards, friction=0.6, name="feet")
    m.contact(cards, friction=0.6, name="cards")
    m.outputs = {"top": cards[-1].position, "force": feet.force}
    m.simulation = {"until": 2.0, "step": 2e-3}
    return m
