import { parentPort } from 'node:worker_threads';
import { createRunFiles } from '../../../run-files';
import { answerSearch, type SearchRequest } from './search-request';

// A thread performs one search. A rejection ends the thread with its error.
parentPort?.once('message', (request: SearchRequest) => {
  void answerSearch(request, createRunFiles(request.files)).then((findings) => parentPort?.postMessage(findings));
});
