import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

export interface PageOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly context?: BrowserContextOptions;
}

export interface OpenedPage {
  readonly page: Page;
  /** The errors that the browser has reported since, and the requests that it has refused. */
  readonly complaints: readonly string[];
}

export const pageHeight = 800;

/** Opens an empty page of a new browser profile that is not signed in. */
export async function openPage(browser: Browser, options: PageOptions = {}): Promise<OpenedPage> {
  return openPageOf(await createProfile(browser, options));
}

/** Creates a new browser profile that is not signed in. */
export function createProfile(browser: Browser, options: PageOptions = {}): Promise<BrowserContext> {
  const { theme = 'light', width = 1280, context: more } = options;
  return browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: theme,
    viewport: { width, height: pageHeight },
    reducedMotion: 'reduce',
    ...more,
  });
}

/** Opens an empty page of a profile. */
export async function openPageOf(context: BrowserContext): Promise<OpenedPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (/content security policy|violates/i.test(message.text())) complaints.push(message.text());
  });
  return { page, complaints };
}
