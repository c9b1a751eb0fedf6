import { describeFixtures } from '../support/fixtures';

describeFixtures('conditions and continue', __dirname);
