-- CreateTable
CREATE TABLE "AcceptedFile" (
    "dagName" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "mark" TEXT NOT NULL,
    "dagRunId" TEXT NOT NULL,
    "acceptedAt" TIMESTAMP(3) NOT NULL,
    "seenAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AcceptedFile_pkey" PRIMARY KEY ("dagName","key")
);

-- CreateIndex
CREATE INDEX "accepted_file_place_idx" ON "AcceptedFile"("dagName", "place");

-- CreateIndex
CREATE INDEX "accepted_file_seen_idx" ON "AcceptedFile"("dagName", "seenAt");
