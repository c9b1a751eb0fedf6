import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

export interface Frame {
  readonly rgba: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  /** Milliseconds since the first frame. */
  readonly at: number;
}

export interface Screencast {
  /** All that was seen, in order, without frames that equal the one before. */
  readonly stop: () => Promise<readonly Frame[]>;
}

/** Records what the page shows whenever it changes. */
export async function startScreencast(page: Page): Promise<Screencast> {
  const session = await page.context().newCDPSession(page);
  const pictures: { data: string; seconds: number }[] = [];
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    pictures.push({ data, seconds: metadata.timestamp ?? 0 });
    // Refused for the last frames, once the session has been detached.
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
  });
  await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 });
  return {
    stop: async () => {
      await session.send('Page.stopScreencast');
      await session.detach();
      const [first] = pictures;
      return pictures
        .filter(({ data }, index) => data !== pictures[index - 1]?.data)
        .map(({ data, seconds }) => {
          const { width, height, data: bytes } = PNG.sync.read(Buffer.from(data, 'base64'));
          const at = Math.round((seconds - (first?.seconds ?? 0)) * 1000);
          return { rgba: new Uint8ClampedArray(bytes), width, height, at };
        });
    },
  };
}
