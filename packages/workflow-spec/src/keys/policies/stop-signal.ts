import { quote } from '../../source/text/quote';
import { readText } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { didYouMean } from '../../source/text/suggest';
import { reportField } from './policy-findings';

const signalNames = [
  'SIGABRT',
  'SIGALRM',
  'SIGBUS',
  'SIGCHLD',
  'SIGCONT',
  'SIGFPE',
  'SIGHUP',
  'SIGILL',
  'SIGINT',
  'SIGIO',
  'SIGIOT',
  'SIGKILL',
  'SIGPIPE',
  'SIGPOLL',
  'SIGPROF',
  'SIGPWR',
  'SIGQUIT',
  'SIGSEGV',
  'SIGSTKFLT',
  'SIGSTOP',
  'SIGSYS',
  'SIGTERM',
  'SIGTRAP',
  'SIGTSTP',
  'SIGTTIN',
  'SIGTTOU',
  'SIGURG',
  'SIGUSR1',
  'SIGUSR2',
  'SIGVTALRM',
  'SIGWINCH',
  'SIGXCPU',
  'SIGXFSZ',
];
const bareNames = signalNames.map((name) => name.slice('SIG'.length));
const known = new Set(signalNames);

/** A POSIX or Linux signal, with or without the `SIG` prefix; the canonical name has it. */
export const stopSignal = shape<string>(
  (value) => {
    const text = readText(value);
    if (text === undefined) return undefined;
    const name = text.startsWith('SIG') ? text : `SIG${text}`;
    if (known.has(name)) return name;
    const near = value.context.suggest(text, [...signalNames, ...bareNames]);
    const message = `invalid signal ${quote(text)}${didYouMean(near)}`;
    const isSure = near !== undefined && sortLetters(near) === sortLetters(text);
    const fix = isSure ? { title: `Write ${quote(near)}`, text: near } : undefined;
    return reportField(value, 'invalid_value', message, fix);
  },
  { enum: [...signalNames, ...bareNames] },
);

// The same letters in another order or case are a typo; others may be another signal.
function sortLetters(name: string): string {
  return Array.from(name.toUpperCase()).sort().join('');
}
