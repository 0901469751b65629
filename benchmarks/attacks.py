"""Expressions that are made to hurt, and some that are only large."""

from __future__ import annotations

from workbench.engine.expressions.evaluation import EvaluationFailed, evaluate
from workbench.syntax.expressions import ExpressionRefused, parse_expression

ATTACKS = r"""
10**10**10
9**9**9**9
2**100000
'a'*10**9
[0]*10**9
'a'*400000*2
range(10**12)
list(range(10**9))
sum(range(100000)) + sum(range(100000)) + sum(range(100000))
[[0]*100000 for i in range(1000)]
[i for i in range(100000) for j in range(100000)]
[x for x in range(99999) for y in range(99999) for z in range(99999)]
','.join(['a'*1000]*100000)
'x'.ljust(10**9)
'x'.zfill(10**10)
'x'.center(10**9)
('a'*100000).replace('a','b'*1000)
('a'*300000).replace('','b'*1000)
round(1,-10**9)
round(1.5,ndigits=10**9)
int('9'*400000)
sum([[1]*1000]*1000, [])
str([[[[1]*100]*100]*100]*100)
[[[[1]*100]*100]*100]*100 == [[[[1]*100]*100]*100]*100
[[[[1]*100]*100]*100]*100
{((((1,)*99,)*99,)*99,)*99}
'%0999999999d' % 1
sorted([[1]*1000]*10000)
set(range(100000))
{i: 'a'*10000 for i in range(99999)}
[('a'*300000) == ('a'*300000) for i in range(9999)]
[i in range(90000) for i in range(90000)]
['a'*400000 for i in range(100)]
(' '*400000).split(' ')
('ab '*130000).split()
[s.upper() for s in ['a'*300000]*10000]
[1 for s in ['a'*300000] for t in ['a'*300000] for i in range(9999) if s == t]
[ [j for j in range(1000)] for i in range(1000)]
max([[[1]*1000]*1000]*2)
[x**600 for x in range(9999)]
{x for x in range(99999)}
[0]*50000+[0]*50000+[0]*50000
list('a'*400000)
dict([[1,2]]*100000)
abs(-10**700)
((('a'*1000)*1000)*1000)
(1.5)**10**6
all([1 for i in range(100000)])
[a for a in [b for b in [c for c in range(30000)]]]
str(1)*10**8
tuple(range(10))
().__class__.__bases__[0].__subclasses__()
''.__class__.__mro__
[].__len__.__globals__
(x for x in [1]).gi_frame.f_globals
(x for x in [1]).gi_frame
'{0.__class__}'.format(1)
'{}'.format_map({})
'%s' % $x
str.format('{0}', 1)
getattr($x, 'y')
eval('1')
exec('1')
__import__('os').system('id')
open('/etc/passwd').read()
globals()
vars()
type('X', (), {})
(lambda f: f(f))(lambda f: f(f))
[y := 1, y]
f'{().__class__}'
print(1)
len.__self__
$x.__init__
$x._private
'a'.encode().decode()
'a'.translate({97: 'b'*1000000})
'a'.expandtabs(10**9)
'a'.maketrans('a', 'b')
[].append(1)
{}.update({})
$x.items()
1 .__add__(1)
await $x
(yield)
*[1],
{**1}
1 if
""".strip().splitlines()

HARMLESS_BUT_LARGE = r"""
'a'.join('b'*400000)
str(10**600)
{((1,)*100,)*100:1}
9*9*9*9**600**1
'ß'*400000
('ß'*200000).upper()
'😀'*400000
['😀'*200000, '😀a'*100000, 'b😀'*100000]
""".strip().splitlines()


def attempt(source: str) -> object:
    """What *source* gives, or how it is refused."""
    try:
        return evaluate(parse_expression(source), lambda name, is_state: "x")
    except (ExpressionRefused, EvaluationFailed) as refusal:
        return refusal
