"""The file of a policy for the embedded engine."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

from policy import CONTEXT, EPSILON, HEAD_WIDTH, HEADS, HIDDEN, LAYERS, ROPE_BASE, WIDTH, Weights
from vocabulary import END, END_OF_TEXT, KINDS, MERGES, TEMPLATE, VOCABULARY


def write_gguf(weights: Weights, file: Path) -> None:
    """The weights as the file that the embedded engine reads."""
    writer = gguf.GGUFWriter(str(file), "llama")
    writer.add_name("weir-quickstart")
    writer.add_vocab_size(len(VOCABULARY))
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(HEAD_WIDTH)
    writer.add_layer_norm_rms_eps(EPSILON)
    writer.add_rope_freq_base(ROPE_BASE)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(VOCABULARY)
    writer.add_token_types(KINDS)
    writer.add_token_merges(MERGES)
    writer.add_bos_token_id(VOCABULARY.index(END_OF_TEXT))
    writer.add_eos_token_id(VOCABULARY.index(END))
    writer.add_pad_token_id(VOCABULARY.index(END_OF_TEXT))
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)
    for name, value in weights.items():
        writer.add_tensor(f"{name}.weight", np.asarray(value, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
