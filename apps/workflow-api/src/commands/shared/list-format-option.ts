import { Option } from 'commander';
import { listFormats } from './formats';

/** Creates the flag of every command that lists or shows something. */
export function listFormatOption(): Option {
  return new Option('--format <format>', 'how it is printed').choices(listFormats).default('table');
}
