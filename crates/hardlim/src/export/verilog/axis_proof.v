// What is proven about @name@_axis by induction over clocks: yosys @name@_axis_proof.ys. One transfer is followed, any
// one: it is inside the network, then waits, and is given after those that were taken before it, with its own data and
// tlast. An answer that waits is offered, and an input is taken while there is a place for its answer.
module @name@_axis_proof (
    input aclk,
    input aresetn,
    input [@axis_x_top@:0] s_axis_tdata,
    input s_axis_tvalid,
    input s_axis_tlast,
    input m_axis_tready,
    input follow, // this transfer, if none is followed
    output SAME
);
    localparam LATENCY = @latency@;
    localparam PLACES = @axis_places@;
    localparam BITS = @output_bits_in_all@;
    wire s_axis_tready, m_axis_tvalid, m_axis_tlast;
    wire [@axis_y_top@:0] m_axis_tdata;
    wire [@axis_count_top@:0] count, stored;
    wire [@axis_place_top@:0] put, get;
    wire [LATENCY-1:0] last, valid;
    wire [LATENCY*BITS-1:0] data;
    wire [@input_top@:0] read;
    wire [BITS-1:0] answer;
@axis_words@
    @name@_axis axis (
        .aclk(aclk), .aresetn(aresetn),
        .s_axis_tdata(s_axis_tdata), .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(s_axis_tready),
        .s_axis_tlast(s_axis_tlast), .m_axis_tdata(m_axis_tdata), .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready), .m_axis_tlast(m_axis_tlast),
        .count(count), .stored(stored), .put(put), .get(get), .last(last),
        .\network.VALID (valid), .\network.DATA (data), .\network.X (read), .\network.ANSWER (answer),
@axis_connected@
    );
    wire taken = s_axis_tvalid && s_axis_tready;
    wire given = m_axis_tvalid && m_axis_tready;
    // The transfer that is followed: where it is, how many are given before it, and what it must give.
    reg started, moves, waits;
    reg [LATENCY-1:0] at;
    reg [@axis_place_top@:0] place;
    reg [@axis_count_top@:0] ahead, taken_not_given;
    reg [BITS:0] value;
    always @(posedge aclk) begin
        if (!aresetn) begin
            started <= 1'b1;
            moves <= 1'b0;
            waits <= 1'b0;
            at <= 0;
            taken_not_given <= 0;
        end else begin
            taken_not_given <= taken_not_given + taken - given;
            at <= {at, 1'b0};
            if (taken && follow && !moves && !waits) begin
                moves <= 1'b1;
                at <= 1;
                ahead <= taken_not_given - given;
                value <= {s_axis_tlast, answer};
            end else begin
                if (moves && at[LATENCY-1]) begin
                    moves <= 1'b0;
                    waits <= 1'b1;
                    place <= put;
                end
                if (moves || waits) begin
                    if (given && ahead == 0) waits <= 1'b0;
                    else ahead <= ahead - given;
                end
            end
        end
    end
    // What holds in every state after a reset.
    wire [@axis_y_top@+1:0] kept = @axis_kept@;
    wire [BITS-1:0] own = @axis_own@;
    wire [LATENCY-1:0] above = valid & ~(at | (at - 1'b1));
    wire [@axis_place_top@:0] held = put - get, far = place - get;
    wire [@axis_count_top@+1:0] all = stored + @axis_valid@;
    wire [@axis_count_top@+1:0] earlier = stored + @axis_above@;
    wire [@axis_y_top@:0] must = value[BITS-1:0];
    wire counted = count == taken_not_given && count <= PLACES && all == count && stored <= PLACES
        && held == stored[@axis_place_top@:0];
    wire on_its_way = !moves || (!waits && at != 0 && (at & (at - 1'b1)) == 0 && (valid & at) != 0
        && own == value[BITS-1:0] && ((last & at) != 0) == value[BITS] && ahead == earlier);
    wire in_its_place = !waits || (!moves && kept == {value[BITS], must} && ahead == far && ahead < stored);
    wire nowhere = moves || at == 0;
    wire right = !(given && waits && ahead == 0) || (m_axis_tdata == must && m_axis_tlast == value[BITS]);
    wire goes_on = m_axis_tvalid == (stored != 0) && s_axis_tready == (taken_not_given != PLACES);
    wire [@input_top@:0] given_to_it = s_axis_tdata;
    assign SAME = !started
        || (read == given_to_it && counted && on_its_way && in_its_place && nowhere && (!aresetn || (right && goes_on)));
endmodule
