"""The pages, in their order. From this one list follow the pages, the navigation, and the Chinese labels."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BY_FAMILY", "BY_PACKAGE", "BY_SLUG", "OTHER", "PAGES", "Family"]


@dataclass(frozen=True, slots=True)
class Family:
    """A page. `families` are those of the manifest that go there, `packages` those of the library's op modules."""

    slug: str
    english: str
    chinese: str
    families: tuple[str, ...]
    packages: tuple[str, ...]


PAGES = (
    Family("elementwise", "Elementwise", "逐元素", ("elementwise",), ("elementwise",)),
    Family("rope", "RoPE", "RoPE", ("rope",), ("rope",)),
    Family("reduction", "Reduction", "归约", ("reduction",), ("reduction",)),
    Family("normalization", "Normalization", "归一化", ("norm",), ("norm",)),
    Family("conv-pool", "Conv & Pool", "卷积与池化", ("convolution", "pool"), ("convolution", "pool")),
    Family("gemm", "GEMM", "GEMM", ("gemm",), ("gemm",)),
    Family("quantization", "Quantization", "量化", ("quantization",), ("quantization",)),
    Family("attention", "Attention", "注意力", ("attention",), ("attention",)),
    Family("moe", "MoE", "MoE", ("moe",), ("moe",)),
    Family("sampling", "Sampling", "采样", ("sampling",), ("sampling",)),
    Family("linear-attention", "Linear attention", "线性注意力", ("linear_attention",), ("linear_attention",)),
    Family("ssm", "SSM", "SSM", ("mamba",), ("mamba",)),
    Family(
        "other",
        "Other",
        "其他",
        ("fft", "sequence_modeling", "transform"),
        ("fft", "sequence_modeling", "transform"),
    ),
)
OTHER = PAGES[-1]
BY_SLUG = {page.slug: page for page in PAGES}
BY_FAMILY = {family: page for page in PAGES for family in page.families}
BY_PACKAGE = {package: page for page in PAGES for package in page.packages}
