"""Networks in the shapes of those that people train, narrow and with small images, as torch modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

CLASSES = 5


@dataclass(frozen=True)
class Network:
    """A network, a batch for it, and a label for each row of its logits."""

    module: nn.Module
    x: Tensor
    labels: Tensor


def network(name: str, *, batch: int = 4) -> Network:
    """One of NETWORKS with random weights, the same every time, in training mode."""
    make, size = NETWORKS[name]
    with torch.random.fork_rng():
        torch.manual_seed(7)
        module = make().train()
        for parameter in module.parameters():
            # Statistics and affine parameters begin as ones and zeros, where much goes unnoticed.
            if parameter.dim() == 1:
                nn.init.uniform_(parameter, 0.5, 1.0) if parameter.mean() > 0.9 else nn.init.normal_(
                    parameter, 0, 0.1
                )
        x = torch.randn(batch, 3, size, size)
        with torch.no_grad():
            rows = module.eval()(x).shape[0]
        labels = torch.randint(0, CLASSES, (rows,))
    return Network(module.train(), x, labels)


def conv(channels: int, filters: int, kernel: int = 3, **options: object) -> nn.Sequential:
    """Convolution and ReLU; `padding` keeps the size unless it is given."""
    options.setdefault("padding", kernel // 2)
    return nn.Sequential(nn.Conv2d(channels, filters, kernel, **options), nn.ReLU())  # type: ignore[arg-type]


def conv_bn(
    channels: int, filters: int, kernel: int = 3, activation: nn.Module | None = None, **options: int
) -> nn.Sequential:
    """Convolution without bias, batch normalisation, activation (ReLU)."""
    options.setdefault("padding", kernel // 2)
    return nn.Sequential(
        nn.Conv2d(channels, filters, kernel, bias=False, **options),  # type: ignore[arg-type]
        nn.BatchNorm2d(filters),
        activation or nn.ReLU(),
    )


def _head(features: int) -> nn.Sequential:
    return nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(features, CLASSES))


def lenet() -> nn.Module:
    return nn.Sequential(
        *(nn.Conv2d(3, 6, 5), nn.Tanh(), nn.AvgPool2d(2)),
        *(nn.Conv2d(6, 8, 5), nn.Sigmoid(), nn.MaxPool2d(2)),
        *(nn.Flatten(), nn.Linear(8 * 25, 24), nn.Tanh(), nn.Linear(24, CLASSES)),
    )


def alexnet() -> nn.Module:
    return nn.Sequential(
        *(conv(3, 8, 11, stride=4, padding=2), nn.MaxPool2d(3, 2)),
        *(conv(8, 12, 5), nn.MaxPool2d(3, 2)),
        *(conv(12, 16), conv(16, 12), conv(12, 12), nn.MaxPool2d(3, 2)),
        *(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, CLASSES)),
    )


def vgg11() -> nn.Module:
    layers: list[nn.Module] = []
    channels = 3
    for filters in (4, "M", 8, "M", 12, 12, "M", 16, 16, "M", 16, 16, "M"):
        if isinstance(filters, str):
            layers.append(nn.MaxPool2d(2, 2))
        else:
            layers.append(
                nn.Sequential(nn.Conv2d(channels, filters, 3, padding=1), nn.BatchNorm2d(filters), nn.ReLU())
            )
            channels = filters
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, CLASSES))


class BasicBlock(nn.Module):
    """Two convolutions and a shortcut."""

    def __init__(self, channels: int, filters: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv_bn(channels, filters, stride=stride), conv_bn(filters, filters, activation=nn.Identity())
        )
        plain = stride == 1 and channels == filters
        self.shortcut = (
            nn.Identity() if plain else conv_bn(channels, filters, 1, activation=nn.Identity(), stride=stride)
        )

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(self.body(x) + self.shortcut(x))


def resnet18(width: int = 4) -> nn.Module:
    blocks: list[nn.Module] = []
    channels = width
    for stage in range(4):
        for index in range(2):
            filters = width * 2**stage
            blocks.append(BasicBlock(channels, filters, 2 if stage and not index else 1))
            channels = filters
    stem = (conv_bn(3, width, 7, stride=2), nn.MaxPool2d(3, 2, 1))
    return nn.Sequential(*stem, *blocks, _head(channels))


class Fire(nn.Module):
    """SqueezeNet's: squeeze, then two kinds of convolutions side by side."""

    def __init__(self, channels: int, squeezed: int, filters: int) -> None:
        super().__init__()
        self.squeeze = conv(channels, squeezed, 1)
        self.small, self.large = conv(squeezed, filters, 1), conv(squeezed, filters, 3)

    def forward(self, x: Tensor) -> Tensor:
        squeezed = self.squeeze(x)
        return torch.cat([self.small(squeezed), self.large(squeezed)], 1)


def squeezenet() -> nn.Module:
    def pool() -> nn.Module:
        return nn.MaxPool2d(3, 2, ceil_mode=True)

    return nn.Sequential(
        *(conv(3, 8, 3, stride=2, padding=0), pool(), Fire(8, 4, 6), Fire(12, 4, 6), pool()),
        *(Fire(12, 4, 8), Fire(16, 4, 8), pool(), Fire(16, 6, 8)),
        *(nn.Dropout(0.0), conv(16, CLASSES, 1), nn.AdaptiveAvgPool2d(1), nn.Flatten()),
    )


class Branches(nn.Module):
    """Branches of one input, their outputs side by side."""

    def __init__(self, *branches: nn.Module) -> None:
        super().__init__()
        self.branches = nn.ModuleList(branches)

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([branch(x) for branch in self.branches], 1)


def _inception(channels: int) -> nn.Module:
    return Branches(
        conv_bn(channels, 4, 1),
        nn.Sequential(conv_bn(channels, 3, 1), conv_bn(3, 5, 3)),
        nn.Sequential(conv_bn(channels, 2, 1), conv_bn(2, 3, 3)),
        nn.Sequential(nn.MaxPool2d(3, 1, 1, ceil_mode=True), conv_bn(channels, 3, 1)),
    )


def googlenet() -> nn.Module:
    def pool(kernel: int = 3) -> nn.Module:
        return nn.MaxPool2d(kernel, 2, ceil_mode=True)

    return nn.Sequential(
        *(conv_bn(3, 6, 7, stride=2), pool(), conv_bn(6, 6, 1), conv_bn(6, 10), pool()),
        *(_inception(10), _inception(15), pool(), _inception(15), pool(2), _inception(15)),
        _head(15),
    )


class Padded(nn.Module):
    """Asymmetric padding before a layer: left, right, top, bottom."""

    def __init__(self, pads: tuple[int, int, int, int], layer: nn.Module, value: float = 0.0) -> None:
        super().__init__()
        self.pads, self.layer, self.value = pads, layer, value

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(functional.pad(x, self.pads, value=self.value))


def inception() -> nn.Module:
    """Factorised convolutions, and layers padded on one side more than on the other."""
    block = Branches(
        nn.Sequential(
            nn.Conv2d(8, 4, (1, 5), padding=(0, 2)), nn.Conv2d(4, 6, (5, 1), padding=(2, 0)), nn.ReLU()
        ),
        Padded((0, 1, 1, 0), conv(8, 4, 2, padding=0)),
        nn.Sequential(nn.AvgPool2d(3, 1, 1, count_include_pad=False), conv(8, 4, 1)),
        Padded((1, 0, 0, 1), nn.MaxPool2d(2, 1), -1e4),
    )
    reduction = Branches(
        Padded((0, 1, 0, 1), conv(22, 8, 3, stride=2, padding=0)),
        Padded((0, 1, 0, 1), nn.MaxPool2d(3, 2), -1e4),
    )
    return nn.Sequential(conv(3, 8, 3, stride=2), block, reduction, nn.AvgPool2d(2), _head(30))


class DenseLayer(nn.Module):
    """Its output beside its input."""

    def __init__(self, channels: int, growth: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.BatchNorm2d(channels), nn.ReLU(), nn.Conv2d(channels, growth, 3, padding=1, bias=False)
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([x, self.body(x)], 1)


def densenet() -> nn.Module:
    return nn.Sequential(
        *(conv_bn(3, 6, 3, stride=2), nn.MaxPool2d(3, 2, 1)),
        *(DenseLayer(6, 3), DenseLayer(9, 3), DenseLayer(12, 3)),
        *(nn.BatchNorm2d(15), nn.ReLU(), nn.Conv2d(15, 8, 1), nn.AvgPool2d(2)),
        *(DenseLayer(8, 3), DenseLayer(11, 3), nn.BatchNorm2d(14), nn.ReLU(), _head(14)),
    )


class InvertedResidual(nn.Module):
    """MobileNetV2's: wide, depthwise, narrow."""

    def __init__(self, channels: int, filters: int, stride: int) -> None:
        super().__init__()
        wide = channels * 3
        self.body = nn.Sequential(
            conv_bn(channels, wide, 1, nn.ReLU6()),
            conv_bn(wide, wide, 3, nn.ReLU6(), stride=stride, groups=wide),
            conv_bn(wide, filters, 1, nn.Identity()),
        )
        self.residual = stride == 1 and channels == filters

    def forward(self, x: Tensor) -> Tensor:
        return x + self.body(x) if self.residual else self.body(x)


def mobilenet_v2() -> nn.Module:
    return nn.Sequential(
        conv_bn(3, 6, 3, nn.ReLU6(), stride=2),
        *(InvertedResidual(6, 6, 1), InvertedResidual(6, 8, 2), InvertedResidual(8, 8, 1)),
        *(conv_bn(8, 16, 1, nn.ReLU6()), nn.MaxPool2d(2), _head(16)),
    )


class ShuffleUnit(nn.Module):
    """Half of the channels pass; then channels change places."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        half = channels // 2
        self.body = nn.Sequential(
            conv_bn(half, half, 1), conv_bn(half, half, 3, nn.Identity(), groups=half), conv_bn(half, half, 1)
        )

    def forward(self, x: Tensor) -> Tensor:
        kept, changed = x.chunk(2, 1)
        y = torch.cat([kept, self.body(changed)], 1)
        n, c, h, w = y.shape
        return y.view(n, 2, c // 2, h, w).transpose(1, 2).reshape(n, c, h, w)


def shufflenet() -> nn.Module:
    return nn.Sequential(
        *(conv_bn(3, 8, 3, stride=2), nn.MaxPool2d(3, 2, 1)),
        *(ShuffleUnit(8), ShuffleUnit(8), conv_bn(8, 12, 3, stride=2), ShuffleUnit(12), _head(12)),
    )


class UNet(nn.Module):
    """Down by pooling, up by transposed convolution, with skip connections; a label for each pixel."""

    def __init__(self) -> None:
        super().__init__()
        self.down1, self.down2, self.bottom = conv_bn(3, 4), conv_bn(4, 6), conv_bn(6, 8)
        self.pool = nn.MaxPool2d(2)
        self.up2, self.up1 = nn.ConvTranspose2d(8, 6, 2, stride=2), nn.ConvTranspose2d(6, 4, 2, stride=2)
        self.join2, self.join1 = conv_bn(12, 6), conv_bn(8, 4)
        self.last = nn.Conv2d(4, CLASSES, 1)

    def forward(self, x: Tensor) -> Tensor:
        first = self.down1(x)
        second = self.down2(self.pool(first))
        up = self.join2(torch.cat([self.up2(self.bottom(self.pool(second))), second], 1))
        up = self.join1(torch.cat([self.up1(up), first], 1))
        return self.last(up).permute(0, 2, 3, 1).reshape(-1, CLASSES)


class Spp(nn.Module):
    """YOLO's spatial pyramid: the input beside three pools of it."""

    def __init__(self) -> None:
        super().__init__()
        self.pools = nn.ModuleList(nn.MaxPool2d(kernel, 1, kernel // 2) for kernel in (5, 9, 13))

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([x, *(pool(x) for pool in self.pools)], 1)


class YoloSpp(nn.Module):
    """A label for each cell of a grid; leaky ReLU and SiLU."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv_bn(3, 6, 3, nn.LeakyReLU(0.1), stride=2),
            nn.MaxPool2d(2),
            conv_bn(6, 8, 3, nn.LeakyReLU(0.1)),
            *(conv_bn(8, 6, 1, nn.SiLU()), Spp(), conv_bn(24, 8, 1, nn.SiLU()), nn.Conv2d(8, CLASSES, 1)),
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.body(x).permute(0, 2, 3, 1).reshape(-1, CLASSES)


NETWORKS: Mapping[str, tuple[Callable[[], nn.Module], int]] = {
    "alexnet": (alexnet, 79),
    "densenet": (densenet, 32),
    "googlenet": (googlenet, 64),
    "inception": (inception, 32),
    "lenet": (lenet, 32),
    "mobilenet_v2": (mobilenet_v2, 24),
    "resnet18": (resnet18, 64),
    "shufflenet": (shufflenet, 32),
    "squeezenet": (squeezenet, 63),
    "unet": (UNet, 16),
    "vgg11": (vgg11, 32),
    "yolo_spp": (YoloSpp, 48),
}
