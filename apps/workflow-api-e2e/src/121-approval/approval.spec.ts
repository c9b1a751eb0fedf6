import { describeFixtures } from '../support/fixtures';

describeFixtures('approval', __dirname);
