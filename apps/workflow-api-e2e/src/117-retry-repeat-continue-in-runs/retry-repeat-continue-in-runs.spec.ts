import { describeFixtures } from '../support/fixtures';

describeFixtures('retry, repeat and time limits', __dirname);
