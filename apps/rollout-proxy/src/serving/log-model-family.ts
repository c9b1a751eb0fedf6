import type { ModelFormats } from '@weir/rollout-engine';
import type { Logger } from '@weir/service-kit';

/** Says at start what is known of the model, and what does not work because of what is not known. */
export function logModelFamily({ family, closers, toolParser, reasoningParser }: ModelFormats, logger: Logger): void {
  const without = [
    ...(toolParser === 'none' ? ['tool calls stay text and cannot be required'] : []),
    ...(reasoningParser === 'none' ? ['reasoning stays text'] : []),
  ];
  const fields = { family, toolParser, reasoningParser, endTokens: closers, without };
  if (family === 'generic') {
    logger.warn(fields, 'the model is of no known family: tokens, prompts and rewards work, parsers can be configured');
  } else {
    logger.info(fields, 'the model family is known');
  }
}
