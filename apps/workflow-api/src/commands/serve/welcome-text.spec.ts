import { welcomeText } from './welcome-text';

const info = { url: 'http://0.0.0.0:8080', hasUserInterface: true, isWorker: true, example: undefined };

describe('what a start prints', () => {
  it('has the set-up with the token where other machines can reach the server', () => {
    const text = welcomeText({ ...info, signIn: 'no_users', setupToken: 'of-this-server' });
    expect(text).toContain('"setupToken":"of-this-server"');
  });

  it('has the set-up without a token otherwise', () => {
    const text = welcomeText({ ...info, signIn: 'no_users' });
    expect(text).toContain('/auth/setup');
    expect(text).not.toContain('setupToken');
  });

  it('has the address of the web interface where it is served', () => {
    expect(welcomeText({ ...info, signIn: 'ready' })).toContain('Open it in a browser: http://0.0.0.0:8080/');
    expect(welcomeText({ ...info, signIn: 'ready', hasUserInterface: false })).not.toContain('browser');
  });

  it('omits the token once users exist', () => {
    expect(welcomeText({ ...info, signIn: 'ready', setupToken: 'of-this-server' })).not.toContain('of-this-server');
  });
});
