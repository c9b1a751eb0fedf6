import { keySpec } from '../../shapes/object-kind';
import { nonEmptyText, recordShape } from '../../shapes/shapes';
import { defineAction } from './define-action';
import { body, headers, method } from './settings/http-settings';
import { atMostOne } from '../../shapes/settings/key-choice';
import { flag, oneOrTexts, seconds, settingBound, textMap, webUrl, word } from '../../shapes/settings/setting-shapes';

export const httpActions = [
  defineAction('http.request', {
    description: 'Sends a request; a response other than 2xx fails the step',
    execution: 'in-process',
    restart: false,
    keys: {
      method: keySpec('Method of the request; default: GET', method),
      url: keySpec('URL', webUrl, { required: true }),
      timeout: keySpec('Timeout of the whole request in seconds', seconds),
      headers,
      query: keySpec('Query parameters', textMap('query')),
      body,
      form: keySpec('Fields of a form', textMap('form')),
      files: keySpec('Files of a form, by field name', recordShape(oneOrTexts('files'), settingBound('files'))),
      json: keySpec('Print status, headers and body as JSON', flag),
      format: keySpec('How the response is printed', word('text', 'raw', 'json')),
      silent: keySpec('Print only the body', flag),
      debug: keySpec('Also print the request', flag),
      skip_tls_verify: keySpec('Accept any certificate', flag, { aliases: ['skipTLSVerify'] }),
      output: keySpec('File to which the body is written', nonEmptyText),
    },
    choices: [atMostOne('body', 'form'), atMostOne('body', 'files')],
  }),
] as const;
