"""Train a small GPT on the bytes of a text, in one process or in several.

    python   -m attention_book.chapters.scale.train text.txt one.pt 100
    torchrun --standalone --nproc-per-node 2 -m attention_book.chapters.scale.train ...

Each process has the whole model, and its part of every batch. Gradients are averaged
over all processes, so that all make the same step. A run that was broken off goes on.

It is one file, to be read and copied; the book's own networks are trained by
`training.fit`.
"""

import io
import os
import sys
from pathlib import Path
from zlib import crc32

import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel

from attention_book import models
from attention_book.training import seeded
from attention_book.training.checkpoints import write_atomically

B, N, EVERY = 16, 64, 10  # texts a batch, bytes a text, steps from file to file
ALONE = {"RANK": 0, "LOCAL_RANK": 0, "WORLD_SIZE": 1, "LOCAL_WORLD_SIZE": 1}
rank, local, world, local_world = (
    int(os.environ.get(name, default)) for name, default in ALONE.items()
)
cuda = torch.cuda.device_count() >= local_world  # one for each process here
device = torch.device("cuda", local) if cuda else torch.device("cpu")


def train(text: torch.Tensor, path: Path, steps: int) -> None:
    """Train for so many steps in all, those included that are kept in the file."""
    if steps < 1:
        raise ValueError(f"steps is {steps}, expected at least 1")
    if B % world:
        raise ValueError(f"there are {world} processes, expected a divisor of {B}")
    if len(text) <= N:
        raise ValueError(f"text has {len(text)} bytes, expected more than {N}")
    checksum = crc32(text.numpy())
    with seeded(0):
        model = models.GPT(models.GPTConfig(256, N_positions=N)).to(device)
    optimizer, losses = torch.optim.Adam(model.parameters(), lr=1e-3), []
    if path.exists():
        kept = torch.load(path, map_location=device)
        if kept["text"] != checksum:
            raise ValueError(f"{path} was trained on another text")
        model.load_state_dict(kept["model"])
        optimizer.load_state_dict(kept["optimizer"])
        losses = kept["losses"]
        if len(losses) > steps:
            raise ValueError(
                f"steps is {steps}, expected at least the {len(losses)} of {path}"
            )
    together = DistributedDataParallel(model) if world > 1 else model
    for step in range(len(losses), steps):
        drawn = torch.Generator().manual_seed(step)  # the same in every process
        starts = torch.randint(len(text) - N, (B, 1), generator=drawn)
        mine = text[starts[rank::world] + torch.arange(N + 1)].long().to(device)
        logits = together(mine[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), mine[:, 1:].flatten())
        losses.append(mean(loss.detach().clone()))
        optimizer.zero_grad()
        loss.backward()  # gradients are averaged here
        optimizer.step()
        if rank == 0 and ((step + 1) % EVERY == 0 or step + 1 == steps):
            kept = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
            kept |= {"losses": losses, "text": checksum}
            torch.save(kept, file := io.BytesIO())
            write_atomically(path, file.getvalue())


def mean(loss: torch.Tensor) -> float:
    """Average over all processes."""
    if world > 1:
        dist.all_reduce(loss)  # their sum
    return loss.item() / world


if __name__ == "__main__":
    torch.set_num_threads(1)
    if world > 1:
        dist.init_process_group("nccl" if cuda else "gloo")
    text = torch.from_numpy(np.fromfile(sys.argv[1], np.uint8))
    train(text, Path(sys.argv[2]), int(sys.argv[3]))
    if world > 1:  # not inside `train`: while the wrapped model is there, it can hang
        dist.destroy_process_group()
