import { describeFixtures } from '../../support/fixtures';

describeFixtures('approval and human tasks', __dirname);
