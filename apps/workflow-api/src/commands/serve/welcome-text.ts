/** `no_users` until the first admin is created. */
export type SignInState = 'off' | 'no_users' | 'ready';

export interface WelcomeInfo {
  readonly url: string;
  /** Whether the web interface is served at `url`. */
  readonly hasUserInterface: boolean;
  readonly signIn: SignInState;
  /** The token that is needed to create the first admin. */
  readonly setupToken?: string | undefined;
  readonly isWorker: boolean;
  /** A DAG to try; missing where it does not exist. */
  readonly example: string | undefined;
}

const json = ' -H "Content-Type: application/json"';
const credentials = (more: object = {}): string =>
  `-d '${JSON.stringify({ username: 'admin', password: 'choose-a-good-one', ...more })}'`;

/** Describes the started server for a person: its address, and lines to paste. */
export function welcomeText({ url, hasUserInterface, signIn, setupToken, isWorker, example }: WelcomeInfo): string {
  const api = `${url}/api/v1`;
  const bearer = signIn === 'off' ? '' : ' -H "Authorization: Bearer $TOKEN"';
  const tryOut = (name: string): readonly string[] => [
    'Start an example and see its result:',
    `  curl -s -X POST ${api}/dags/${name}/start${bearer}${json} -d '{}'`,
    `  curl -s ${api}/dag-runs/${name}/latest${bearer}`,
  ];
  const lines = [
    '',
    `Weir is up: ${api}`,
    ...(hasUserInterface ? [`Open it in a browser: ${url}/`, ...setupTokenLines(signIn, setupToken)] : []),
    ...signInLines(signIn, api, setupToken),
    ...(example === undefined ? ['List the DAGs:', `  curl -s ${api}/dags${bearer}`] : tryOut(example)),
    ...(isWorker
      ? []
      : [
          'This process only serves the API: no schedule is followed, and runs stay queued until "weir start-all" takes them.',
        ]),
    '',
  ];
  return lines.join('\n');
}

/** The first page asks for the token. */
function setupTokenLines(signIn: SignInState, setupToken: string | undefined): readonly string[] {
  return signIn === 'no_users' && setupToken !== undefined ? [`  set-up token: ${setupToken}`] : [];
}

function signInLines(signIn: SignInState, api: string, setupToken: string | undefined): readonly string[] {
  switch (signIn) {
    case 'off':
      return ['Sign-in is disabled: everyone who can reach this address is an admin.'];
    case 'no_users':
      return [
        'Create the first admin (once):',
        `  curl -s ${api}/auth/setup${json} ${credentials({ setupToken })}`,
        'Put the token of its answer, or of a later login, into TOKEN.',
      ];
    case 'ready':
      return [
        'Sign in, and put the token of the answer into TOKEN:',
        `  curl -s ${api}/auth/login${json} ${credentials()}`,
      ];
  }
}
