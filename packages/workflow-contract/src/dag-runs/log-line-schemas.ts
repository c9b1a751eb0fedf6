import { z } from 'zod';

export const LogLine = z
  .object({
    number: z.int().describe('Counted from 1.'),
    byte: z.int().describe('Where the line begins in the log.'),
    text: z.string().describe('The line without its line break; at most its first 16 KiB.'),
    isCut: z.boolean().describe('Whether the line is longer than its text.'),
    stream: z.enum(['stdout', 'stderr']).optional().describe('Of logs that have both streams: which one it is from.'),
    time: z.iso
      .datetime()
      .optional()
      .describe('When the line was complete; of steps within a quarter of a second. Absent where it is not known.'),
    attempt: z.int().optional().describe('Of logs of several attempts: the one that printed it, counted from 1.'),
  })
  .meta({ id: 'LogLine', description: 'A line of a log.' });
export type LogLine = z.output<typeof LogLine>;

export const LogLinesResponse = z
  .object({
    lines: z.array(LogLine).describe('In their order, 2 MiB at most.'),
    nextLine: z.int().describe('Number of the line after the last of them.'),
    nextByte: z.int().describe('Where that line begins, or will.'),
    totalLines: z.int().describe('Number of lines in the log.'),
    isEstimate: z.boolean().describe('Whether totalLines is an estimate.'),
    totalBytes: z.int().describe('Size of the log.'),
    attempts: z
      .int()
      .describe('Number of the attempts that wrote the whole log; 1 where it was not recorded, and for logs of runs.'),
  })
  .meta({ id: 'LogLinesResponse', description: 'A part of a log, line by line.' });
export type LogLinesResponse = z.output<typeof LogLinesResponse>;

export const FoundLogLine = LogLine.extend({
  isMatch: z.boolean().describe('Whether the line matches; otherwise it is context.'),
  spans: z
    .array(
      z.object({
        start: z.int().describe('In UTF-16 units of the text.'),
        end: z.int().describe('After the last unit.'),
      }),
    )
    .describe('Where the line matches, 100 at most.'),
}).meta({ id: 'FoundLogLine', description: 'A line of the findings of a search.' });

export const LogSearchResponse = z
  .object({
    groups: z.array(z.array(FoundLogLine)).describe('Lines that follow each other: matches with their context.'),
    matchingLines: z.int().describe('How many lines match in what was searched, whether returned or not.'),
    isComplete: z.boolean().describe('Whether the log was searched to its end.'),
    nextCursor: z.string().optional().describe('Continues the search; absent when there is nothing more.'),
    searchedBytes: z.int().describe('How much was searched by this request.'),
    totalBytes: z.int().describe('Size of the log.'),
  })
  .meta({ id: 'LogSearchResponse', description: 'What a search of a log has found.' });
export type LogSearchResponse = z.output<typeof LogSearchResponse>;
