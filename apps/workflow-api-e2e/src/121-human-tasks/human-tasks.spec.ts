import { describeFixtures } from '../support/fixtures';

describeFixtures('human tasks', __dirname);
