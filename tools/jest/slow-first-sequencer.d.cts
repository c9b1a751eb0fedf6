import TestSequencer from '@jest/test-sequencer';

export declare class SlowFirstSequencer extends TestSequencer {}
