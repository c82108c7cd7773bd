"""The rules of pages as such: what keeps one from being read, or deceives who reads it (SL5xx), in Chinese."""

from __future__ import annotations

from collections.abc import Mapping

PAGES: Mapping[str, tuple[str, str, str]] = {
    "SL501": (
        "页面不是 UTF-8",
        "页面或它显示的图，字节不是 UTF-8 文本，因此上面的内容一概没有检查。",
        "把页面存成 UTF-8。",
    ),
    "SL502": (
        "页面在文档目录之外",
        "文档目录下有一个链接通到目录之外；它指向的内容不在检查范围之内。",
        "用页面本身替换这个链接。",
    ),
    "SL503": (
        "页面里有隐藏内容的字符",
        "这个字符会颠倒一行的显示次序，或者在代码里谁也看不见：读者复制到的，不是读到的。",
        "删掉它；报错里写明了位置。",
    ),
    "SL504": (
        "名字只是看上去像库里的",
        "名字里混有别的文字的字母，对 Python 来说就是另一个名字。",
        "重新输入一遍。",
    ),
}
