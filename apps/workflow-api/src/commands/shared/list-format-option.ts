import { Option } from 'commander';
import { listFormats } from './formats';

/** The flag of every command that lists or shows something. */
export function listFormatOption(): Option {
  return new Option('--format <format>', 'how it is printed').choices(listFormats).default('table');
}
