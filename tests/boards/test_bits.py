from hypothesis import given
from hypothesis import strategies as st

from sandtable.boards import bits, flags, has, mask_of

sets = st.one_of(st.sets(st.integers(0, 2000)), st.integers(300, 400).map(lambda n: set(range(n))))


@given(sets)
def test_a_set_comes_back_from_its_mask_in_order(spaces: set[int]) -> None:
    assert bits(mask_of(spaces)) == sorted(spaces)


@given(st.sets(st.integers(0, 99)))
def test_flags_and_has_agree_with_the_set(spaces: set[int]) -> None:
    mask = mask_of(spaces)
    assert list(flags(mask, 100)) == [space in spaces for space in range(100)]
    assert [has(mask, space) for space in range(100)] == [space in spaces for space in range(100)]
