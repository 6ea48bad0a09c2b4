// See @name@.v. Written by hardlim.
// @name@_pipelined behind AXI4-Stream: a transfer of s_axis is an input, the first one in the lowest bits, and gives
// one transfer of m_axis, the outputs in the same way, @latency@ clocks later or when it is taken. tlast travels with
// it. One input each clock, as long as the answers are taken.
module @name@_axis (
    input aclk,
    input aresetn,
    input [@axis_x_top@:0] s_axis_tdata,
    input s_axis_tvalid,
    output s_axis_tready,
    input s_axis_tlast,
    output [@axis_y_top@:0] m_axis_tdata,
    output m_axis_tvalid,
    input m_axis_tready,
    output m_axis_tlast
);
    localparam LATENCY = @latency@;
    localparam PLACES = @axis_places@; // for answers that are not taken, a power of two above LATENCY + 1
    wire taken = s_axis_tvalid && s_axis_tready;
    wire given = m_axis_tvalid && m_axis_tready;
    wire answered;
    wire [@axis_y_top@:0] answer;
    @name@_pipelined network (
@axis_ports@
    );
@axis_rest@    // The inputs on their way and the answers that wait never exceed the places.
    reg [@axis_count_top@:0] count;
    assign s_axis_tready = aresetn && count != PLACES;
    reg [LATENCY-1:0] last;
    reg [@axis_y_top@+1:0] waiting [0:PLACES-1];
    reg [@axis_place_top@:0] put, get;
    reg [@axis_count_top@:0] stored;
    assign m_axis_tvalid = stored != 0;
    assign {m_axis_tlast, m_axis_tdata} = waiting[get];
    always @(posedge aclk) begin
        last <= {last, s_axis_tlast};
        if (answered) waiting[put] <= {last[LATENCY-1], answer};
        if (!aresetn) begin
            count <= 0;
            stored <= 0;
            put <= 0;
            get <= 0;
        end else begin
            count <= count + taken - given;
            stored <= stored + answered - given;
            if (answered) put <= put + 1'b1;
            if (given) get <= get + 1'b1;
        end
    end
endmodule
