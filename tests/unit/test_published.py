"""What is read out of HTML: as a browser reads it."""

from __future__ import annotations

import pytest
from rendering import preformatted

from snippetlock.references.published import Doubt, Pre, read


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


# Where other readers of HTML differ from browsers


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<!--><pre>a</pre><!-- -->", "a"),
        ("<!---><pre>a</pre><!-- -->", "a"),
        ("<!-- x --!><pre>a</pre><!-- -->", "a"),
        ("<!----><pre>a</pre><!-- -->", "a"),
        ("<!x><pre>a</pre>", "a"),
        ("</ x><pre>a</pre>", "a"),
        ("</><pre>a</pre>", "a"),
        ("< pre>b</pre><pre>a</pre>", "a"),
        ("<xmp><b>&lt;</xmp>", "<b>&lt;"),
        ("<listing>\n<b>a</b></listing>", "a"),
        ("<plaintext>a</plaintext>", "a</plaintext>"),
        ("<textarea>\na &amp; <b></textarea>", "a & <b>"),
        ("<pre>&#10;a</pre>", "a"),
        ("<pre><!-- -->\na</pre>", "\na"),
        ("<style><!-- </style><pre>a</pre>", "a"),
        ("<title><!-- </title><pre>a</pre>", "a"),
        ("<iframe><!-- </iframe><pre>a</pre>", "a"),
        ("<pre a='>' b=\">\" c=/>a</pre>", "a"),
        ("<svg><path d='M0'/></svg><style></style><pre>a</pre>", "a"),
        ("<svg><title>b</title></svg><script>'<pre>'</script><pre>a</pre>", "a"),
    ],
)
def test_what_a_browser_shows_is_read(html, text):
    shown = read(html)
    assert ([pre.text for pre in shown.blocks], shown.doubts) == ([text], ())


@pytest.mark.parametrize(
    "html",
    [
        "<!-- <pre>a</pre> -->",
        "<!-- > <pre>a</pre> -->",
        "<style><pre>a</pre></style>",
        "<noframes><pre>a</pre></noframes>",
        "<p title='<pre>a</pre>'>",
        "<textarea> </textarea>",
        "<pre title='no end>a</pre>",
        "<iframe src='https://example.org'></iframe>",
    ],
)
def test_what_a_browser_does_not_show_is_not_read(html):
    assert read(html) == ((), ())


@pytest.mark.parametrize(
    ("html", "what"),
    [
        ("<![CDATA[ > <pre>a</pre> ]]>", "a CDATA section"),
        ("<?x <pre>a</pre>", "a processing instruction"),
        ("<!doctype html [ <!ENTITY e '<pre>'> ]>&e;", "a document type with declarations"),
        ("<svg><style><pre>a</pre></style></svg>", "<style> within a drawing, with more than words in it"),
        ("<svg><title><pre>a</pre></title></svg>", "<title> within a drawing, with more than words in it"),
        ("<svg><svg></svg><style><pre>a</pre></style></svg>", "<style> within a drawing, with more than words in it"),
        ("<svg><math></svg><p><pre>a</pre>", None),
        ("<svg>" * 9 + "<pre>", "drawings within drawings"),
        ("<svg><foreignObject><pre>a</pre></foreignObject></svg>", "<foreignobject> within a drawing"),
        ("<svg><g></p><pre>a</pre></g></svg>", "</p> within a drawing"),
        ("<math><mi><b></math><pre>a</pre>", "<mi> within a drawing, with more than words in it"),
        ("<iframe srcdoc='&lt;pre>a'></iframe>", "a page within the page (<iframe>)"),
        ("<object data='&#100;ata:text/html,<pre>'></object>", "a page within the page (<object>)"),
        ("<h:pre>a</h:pre>", "an element of a namespace (<h:pre>)"),
        ("<script><!--<script></script><pre>a</pre>--></script>", "a comment within a <script>"),
        ("<noscript><pre>a</pre></noscript>", "what is shown where no script runs (<noscript>)"),
        ("<noscript><a title='</noscript><pre>a</pre>'>", "what is shown where no script runs (<noscript>)"),
        ("<noscript><!-- </noscript><pre>a</pre>-->", "what is shown where no script runs (<noscript>)"),
    ],
)
def test_what_is_uncertain_is_said_with_its_line(html, what):
    assert read(f"<pre></pre>\n<p>\n{html}").doubts == ((Doubt(3, what),) if what else ())


@pytest.mark.parametrize(
    "html",
    [
        "<!DOCTYPE html><noscript><img src='a.png'><a href=\"b\">c</a></noscript>",
        "<?xml version='1.0'?><svg><title>a</title><g><path/></g><style>b{c:d}</style></svg>",
        "<script>if (a <b && '<pre>') {}</script>",
        "<math><mi>x</mi></math>",
    ],
)
def test_what_is_certain_is_not_doubted(html):
    assert read(f"<pre></pre>{html}").doubts == ()


@pytest.mark.parametrize(
    ("html", "odd"),
    [
        ("<pre>a<br>b</pre>", "<br> stands in it"),
        ("<pre>a<img src=b>c</pre>", "<img> stands in it"),
        ("<pre>a<script>b</script></pre>", "<script> stands in it"),
        ("<div><pre>a</div>b</pre>", "</div> stands in it"),
        ("<pre hidden>a</pre>", "its <pre> has the attribute 'hidden'"),
        ("<pre><span hidden>a</span></pre>", "its <span> has the attribute 'hidden'"),
        ("<pre><span style='DISPLAY:none'>a</span></pre>", "its <span> has a style of its own: DISPLAY:none"),
        ("<div hidden><div></div><pre>a</pre></div>", "it stands in a <div> that is hidden"),
        ("<xmp>a</xmp>", "it is a <xmp>"),
    ],
)
def test_what_makes_readers_see_something_else(html, odd):
    (pre,) = preformatted(html)
    assert odd in pre.odd


def test_code_as_it_should_be_is_not_odd():
    html = "<div hidden>x</div><label hidden><i></i></label><p hidden>x</p>"
    html += "<pre id='a'><span></span><code><a href='#L1'></a><span class='k' style='color: red'>b</span></code></pre>"
    (pre,) = preformatted(html)
    assert (pre.text, pre.odd) == ("b", ())


def test_of_an_attribute_given_twice_the_first_counts():
    assert preformatted("<pre class=a class=b></pre>")[0].classes == ("a",)


HOSTILE = {
    "noscript": "<noscript>" * 100_000,
    "drawings": "<svg>" * 100_000 + "</math>" * 100_000,
    "items": "<li>" * 100_000 + "<pre></pre>" * 10_000,
    "hidden": "".join(f"<d{n} hidden>" for n in range(10_000)) + "<pre></pre>" * 10_000,
    "attributes": "<a " + 'a=" ' * 100_001,
    "blanks": "<a" + " " * 300_000 + "b" + " " * 300_000 + "=",
    "open": "<" * 300_000 + "<!--" * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_read_in_one_go(name):
    """A reader that goes over them more than once does not come back from here."""
    shown = read(f"<pre>a</pre>{HOSTILE[name]}")
    assert shown.blocks[0].text == "a"
    assert len(shown.blocks) == (10_001 if name in ("items", "hidden") else 1)
    assert bool(shown.doubts) == (name == "drawings")
