export interface WelcomeFacts {
  readonly url: string;
  readonly authMode: 'builtin' | 'none';
  readonly withRunner: boolean;
}

const example = 'hello-params';

/** What a person sees when the server is up: the address, and lines to paste. */
export function welcomeText({ url, authMode, withRunner }: WelcomeFacts): string {
  const api = `${url}/api/v1`;
  const bearer = authMode === 'none' ? '' : ' -H "Authorization: Bearer $TOKEN"';
  const json = ' -H "Content-Type: application/json"';
  const lines = [
    '',
    `Weir is up: ${api}`,
    ...(authMode === 'none'
      ? ['Sign-in is switched off: whoever reaches this address is admin.']
      : [
          'Create the first admin (once):',
          `  curl -s ${api}/auth/setup${json} -d '{"username":"admin","password":"choose-a-good-one"}'`,
          'Put the token of its answer, or of a later login, into TOKEN. Then start an example and see its result:',
        ]),
    ...(authMode === 'none' ? ['Start an example and see its result:'] : []),
    `  curl -s -X POST ${api}/dags/${example}/start${bearer}${json} -d '{}'`,
    `  curl -s ${api}/dag-runs/${example}/latest${bearer}`,
    ...(withRunner ? [] : ['This process only serves the API: runs stay queued until "weir start-all" takes them.']),
    '',
  ];
  return lines.join('\n');
}
