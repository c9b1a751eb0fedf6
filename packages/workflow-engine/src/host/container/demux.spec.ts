import { createDemux, type StreamPart } from './demux';

function frame(kind: number, text: string): Buffer {
  const header = Buffer.alloc(8);
  header[0] = kind;
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

it('separates the streams for chunks of any size', () => {
  const bytes = Buffer.concat([frame(1, 'out'), frame(2, 'é'), frame(1, ''), frame(1, 'more')]);
  const found: StreamPart[] = [];
  const demux = createDemux((part) => found.push(part));
  for (const byte of bytes) demux(Buffer.from([byte]));

  expect(found.map(({ stream, part }) => [stream, part.toString()])).toEqual([
    ['stdout', 'out'],
    ['stderr', 'é'],
    ['stdout', ''],
    ['stdout', 'more'],
  ]);
});
