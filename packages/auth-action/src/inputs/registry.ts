import { findCommonMistake } from './common-mistakes';
import { invalidInput, validInput, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';

const artifactRegistry = /^(?:[a-z0-9-]+-)?docker\.pkg\.[a-z0-9.-]+$/;
const containerRegistry = /^(?:[a-z]+\.)?gcr\.io$/;

/** The host of a Docker registry of Google Cloud; the token must not be sent to other hosts. */
export function parseRegistry(text: string): ParsedInput<string> {
  const slip = findCommonMistake(text);
  if (slip !== undefined) return slip;
  if (artifactRegistry.test(text) || containerRegistry.test(text)) return validInput(text);
  return invalidInput(
    'registry_invalid',
    `is ${quoteInput(text)}. Use the host of a registry of Google Cloud without https and path, such as europe-docker.pkg.dev.`,
  );
}
