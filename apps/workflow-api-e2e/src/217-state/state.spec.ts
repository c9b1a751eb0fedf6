import { describeFixtures } from '../support/fixtures';

describeFixtures('217 State', __dirname);
