import { env, stdout } from 'node:process';
import { runPost } from './post/run-post';

void runPost({ env, write: (text) => stdout.write(text), revocationTimeoutMs: 5000 });
