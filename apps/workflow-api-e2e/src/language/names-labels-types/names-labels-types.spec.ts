import { describeFixtures } from '../../support/fixtures';

describeFixtures('names, labels, types', __dirname);
