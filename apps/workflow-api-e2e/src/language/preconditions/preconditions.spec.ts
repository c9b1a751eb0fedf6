import { describeFixtures } from '../../support/fixtures';

describeFixtures('preconditions', __dirname);
