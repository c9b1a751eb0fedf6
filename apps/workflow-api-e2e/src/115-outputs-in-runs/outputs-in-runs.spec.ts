import { describeFixtures } from '../support/fixtures';

describeFixtures('outputs of steps', __dirname);
