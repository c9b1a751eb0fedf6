const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;
const slowSuites = require('./slow-suites.json');

const root = path.resolve(__dirname, '../..');
const ranks = new Map(slowSuites.map((file, index) => [path.join(root, file), index]));
const rankOf = ({ path: file }) => ranks.get(file) ?? slowSuites.length;

/** Starts the longest suites first, so that none of them runs alone at the end; the others keep the order of Jest. */
class SlowFirstSequencer extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rankOf(one) - rankOf(other));
  }
}

// Jest takes the default.
module.exports = { __esModule: true, default: SlowFirstSequencer, SlowFirstSequencer };
