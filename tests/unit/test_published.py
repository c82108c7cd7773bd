"""What is read out of HTML: as a browser reads it."""

from __future__ import annotations

import pytest

from snippetlock.references.published import Pre, preformatted


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<pre>a\nb</pre>", "a\nb"),
        ("<pre>\na</pre>", "a"),
        ("<pre>\n\na</pre>", "\na"),
        ("<pre><code>\na</code></pre>", "\na"),
        ("<pre><span></span>\na</pre>", "\na"),
        ("<pre>a\r\nb\rc</pre>", "a\nb\nc"),
        ("<pre>a&#13;\nb&#xD;c</pre>", "a\r\nb\rc"),
        ("<pre>&lt;b&gt; &amp;amp; &nbsp;</pre>", "<b> &amp; \xa0"),
        ("<pre>a<!-- c -->b<br>c</pre>", "abc"),
        ("<PRE>A</PRE>", "A"),
        ("<pre>a<pre>b</pre>c</pre>", "abc"),
        ("<pre>never closed", "never closed"),
        ("<pre/>a</pre>", "a"),
        ("<pre>a\x0cb\u2028</pre>", "a\x0cb\u2028"),
        ("<pre></pre>", ""),
    ],
)
def test_text(html, text):
    assert [pre.text for pre in preformatted(html)] == [text]


def test_what_is_no_pre():
    assert preformatted("<p>x</p>") == ()
    assert preformatted("<script>x = '<pre>a</pre>'</script><!-- <pre>b</pre> --></pre><p>&lt;pre&gt;</p>") == ()


def test_order_classes_and_lines():
    found = preformatted("<p>\n<pre class='a b'>x</pre>\n\n<div><pre class>y</pre></div>")
    assert found == (Pre("x", ("a", "b"), 2, ""), Pre("y", (), 4, ""))


def test_footnotes_are_told_apart():
    notes = "<li id='fn:1'><p>x</p><ul><li><pre>b</pre></li></ul></li><li id='fn:two'><pre>c</pre></li>"
    html = f"<pre>a</pre><ol>{notes}</ol></li><pre>d</pre>"
    assert [(pre.text, pre.footnote) for pre in preformatted(html)] == [("a", ""), ("b", "1"), ("c", "two"), ("d", "")]
