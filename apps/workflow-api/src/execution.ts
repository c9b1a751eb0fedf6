import path from 'node:path';
import { createPermits, createSpawner, type Spawner } from '@weir/workflow-engine';
import { createPooledParser, type DagParsers } from './dag-parser';
import { createJsRunner, type JsRunner } from './js-run';
import { createOutputEvaluator, type OutputEvaluator } from './output-thread';

/** The threads and processes with which a worker executes runs. */
export interface Execution {
  readonly parsers: DagParsers;
  readonly outputEvaluator: OutputEvaluator;
  readonly spawner: Spawner;
  /** The built program that executes `sqlite.*`, `duckdb.query` and `xlsx.*`. */
  readonly fileProgram: string;
  readonly jsRunner: JsRunner;
}

/** The number is small, because each thread may take hundreds of megabytes before it is ended. */
const maxOutputThreads = 4;

/** Creates them; none is started. The build puts the code of all into the folder of the parse worker. */
export function createExecution(parserFile: string): Execution {
  const besideParser = (name: string): string => path.join(path.dirname(parserFile), name);
  return {
    parsers: createPooledParser({ workerFile: parserFile }),
    outputEvaluator: createOutputEvaluator({
      workerFile: besideParser('output-worker.js'),
      permits: createPermits(maxOutputThreads),
    }),
    spawner: createSpawner({ programFile: besideParser('spawner.js') }),
    fileProgram: besideParser('file-program.js'),
    jsRunner: createJsRunner({ hostFile: besideParser('js-host.js') }),
  };
}
