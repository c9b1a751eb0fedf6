import { keySpec } from '../shapes/object-kind';
import { nonEmptyText, recordShape } from '../shapes/shapes';
import { defineAction } from './define-action';
import { body, headers, method } from './settings/http-settings';
import { atMostOne } from './settings/key-choice';
import { flag, oneOrTexts, seconds, settingBound, textMap, webUrl, word } from './settings/setting-shapes';

export const httpActions = [
  defineAction('http.request', {
    description: 'Sends a request; an answer other than 2xx fails the step',
    execution: 'in-process',
    restart: false,
    keys: {
      method: keySpec('Method of the request', method, { required: true }),
      url: keySpec('Address', webUrl, { required: true }),
      timeout: keySpec('Seconds for the whole request', seconds),
      headers,
      query: keySpec('Query parameters', textMap('query')),
      body,
      form: keySpec('Fields of a form', textMap('form')),
      files: keySpec('Files of a form, by field', recordShape(oneOrTexts('files'), settingBound('files'))),
      json: keySpec('Print status, headers and body as JSON', flag),
      format: keySpec('How the answer is printed', word('text', 'raw', 'json')),
      silent: keySpec('Print the body alone', flag),
      debug: keySpec('Print the request too', flag),
      skip_tls_verify: keySpec('Accept any certificate', flag, { aliases: ['skipTLSVerify'] }),
      output: keySpec('File that the body is saved to', nonEmptyText),
    },
    choices: [atMostOne('body', 'form'), atMostOne('body', 'files')],
  }),
] as const;
