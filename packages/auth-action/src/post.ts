import { createLogWriter } from './post/create-log-writer';
import { runPost } from './post/run-post';

void runPost({ env: process.env, write: createLogWriter({ descriptor: 1, process }), revocationTimeoutMs: 5000 });
