import { AppError } from '@weir/foundation';
import { maxRecordedTop, type Recording } from '../engine/port/recording';

const isFlag = (text: string): boolean => text === 'true' || text === 'false';

const readers: Readonly<Record<string, (text: string) => Partial<Recording> | undefined>> = {
  top_logprobs: (text) => {
    const count = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
    return count <= maxRecordedTop ? { topLogprobs: count } : undefined;
  },
  prompt_logprobs: (text) => (isFlag(text) ? { promptLogprobs: text === 'true' } : undefined),
  sampling_mask: (text) => (isFlag(text) ? { samplingMask: text === 'true' } : undefined),
  routed_experts: (text) => (isFlag(text) ? { routedExperts: text === 'true' } : undefined),
};

/**
 * Reads a list such as `top_logprobs=5,routed_experts=true`, separated by commas: the form of the header of one call. Throws
 * `invalid_request` (reason `request_invalid`) for anything else.
 */
export function parseRecording(text: string): Partial<Recording> {
  return text.split(',').reduce<Partial<Recording>>((recording, part) => {
    const [name = '', value = ''] = part.split('=').map((side) => side.trim());
    const read = Object.hasOwn(readers, name) ? readers[name]?.(value) : undefined;
    if (read === undefined) {
      throw new AppError(
        'invalid_request',
        `X-Record: must be a list of top_logprobs, up to ${maxRecordedTop}, prompt_logprobs, sampling_mask and routed_experts, true or false.`,
        {
          reason: 'request_invalid',
        },
      );
    }
    return { ...recording, ...read };
  }, {});
}
