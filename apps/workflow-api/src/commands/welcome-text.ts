export interface WelcomeFacts {
  readonly url: string;
  readonly authMode: 'builtin' | 'none';
  readonly withRunner: boolean;
  /** A DAG to try; none is named where it is not there. */
  readonly example: string | undefined;
}

/** What a person sees when the server is up: the address, and lines to paste. */
export function welcomeText({ url, authMode, withRunner, example }: WelcomeFacts): string {
  const api = `${url}/api/v1`;
  const isOpen = authMode === 'none';
  const bearer = isOpen ? '' : ' -H "Authorization: Bearer $TOKEN"';
  const json = ' -H "Content-Type: application/json"';
  const setup = [
    'Create the first admin (once):',
    `  curl -s ${api}/auth/setup${json} -d '{"username":"admin","password":"choose-a-good-one"}'`,
    'Put the token of its answer, or of a later login, into TOKEN.',
  ];
  const tryOut = (name: string): readonly string[] => [
    'Start an example and see its result:',
    `  curl -s -X POST ${api}/dags/${name}/start${bearer}${json} -d '{}'`,
    `  curl -s ${api}/dag-runs/${name}/latest${bearer}`,
  ];
  const lines = [
    '',
    `Weir is up: ${api}`,
    ...(isOpen ? ['Sign-in is switched off: whoever reaches this address is admin.'] : setup),
    ...(example === undefined ? ['List the DAGs:', `  curl -s ${api}/dags${bearer}`] : tryOut(example)),
    ...(withRunner ? [] : ['This process only serves the API: runs stay queued until "weir start-all" takes them.']),
    '',
  ];
  return lines.join('\n');
}
