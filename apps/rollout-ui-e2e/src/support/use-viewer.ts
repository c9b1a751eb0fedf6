import { launchBrowser, openPage, type OpenedPage, type PageOptions } from '@weir/test-kit/browser';
import type { Browser } from 'playwright-core';
import { readKey, startViewer, type Viewer } from './start-viewer';

export interface ViewerPages {
  readonly viewer: () => Viewer;
  /** A page of a new browser profile that is not signed in; `path` is below `/ui/`. */
  readonly open: (path?: string, options?: PageOptions) => Promise<OpenedPage>;
  /** The same, signed in by the read-only key. */
  readonly openAsReader: (path?: string, options?: PageOptions) => Promise<OpenedPage>;
}

/** One browser and one proxy for the specs of a file. */
export function useViewer(env: Readonly<Record<string, string>> = {}): ViewerPages {
  let browser: Browser;
  let viewer: Viewer;

  beforeAll(async () => {
    [browser, viewer] = await Promise.all([launchBrowser(), startViewer(env)]);
  });
  afterAll(async () => {
    await Promise.all([browser.close(), viewer.stop()]);
  });

  const openAt = async (path: string, options: PageOptions, key?: string): Promise<OpenedPage> => {
    const opened = await openPage(browser, options);
    if (key !== undefined) {
      const answer = await opened.page.context().request.post(`${viewer.url}/rl/browser_session`, { data: { key } });
      if (!answer.ok()) throw new Error(`The sign-in was answered ${answer.status()}.`);
    }
    await opened.page.goto(`${viewer.url}/ui/${path}`);
    return opened;
  };
  return {
    viewer: () => viewer,
    open: (path = '', options = {}) => openAt(path, options),
    openAsReader: (path = '', options = {}) => openAt(path, options, readKey),
  };
}
